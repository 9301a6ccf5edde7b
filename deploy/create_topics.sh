#!/bin/sh
# Makes Stet's topics where they are absent, with Kafka's own tools. Asks for:
#   KAFKA       bootstrap servers
#   PARTITIONS  at least as many as there will ever be worker processes: a partition has one reader. Adding some
#               later would move subjects to another partition, whose offsets are no continuation of the first's,
#               and of two texts of a message the one with the higher offset wins
#   REPLICAS    copies of each partition; 3 in production, with min.insync.replicas=2
#   CONFIG      optional: a properties file for kafka-topics.sh, with TLS and SASL settings
set -eu

make() {
    topic=$1
    shift
    /opt/kafka/bin/kafka-topics.sh --bootstrap-server "$KAFKA" ${CONFIG:+--command-config "$CONFIG"} \
        --create --if-not-exists --topic "$topic" --replication-factor "$REPLICAS" \
        --config cleanup.policy=delete "$@"
}

# All that is stored is made from this topic: what it no longer holds cannot be made again.
make conversation.messages --partitions "$PARTITIONS" --config retention.ms=-1 --config retention.bytes=-1

# A rejected record is as long as what came in, and its reason comes on top.
make conversation.rejected --partitions "$PARTITIONS" --config retention.ms=-1 --config max.message.bytes=2097152

# Each record is a change and not a state, so compaction would lose some.
make evidence.changes --partitions "$PARTITIONS" --config retention.ms=604800000
