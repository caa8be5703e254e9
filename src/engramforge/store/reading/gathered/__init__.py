"""What memories gather in: clusters and topics."""
