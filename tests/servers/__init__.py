"""What tests run on: a Kafka broker, Redis, a Redis Cluster, Qdrant's REST interface, and a link to cut.

`tests.servers.fixtures` offers them to tests. Each server is a process of its own on a free loopback port.
"""
