"""The answer that stands for "no model: let the rules say", remembered where a model failed for good."""

RULES_INSTEAD = '{"rules":true}'
"""Stored in the place of a model's answer; what reads remembered answers asks the rules where it finds
this."""
