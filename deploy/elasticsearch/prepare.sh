#!/bin/bash
# Runs as root before Elasticsearch starts: gives it the folder for snapshots, and makes the certificate with which
# the nodes of a cluster know each other. Does nothing that is done already.
set -euo pipefail

chown 1000:0 /backups

if [ ! -f /certificates/node.p12 ]; then
  cd /usr/share/elasticsearch
  bin/elasticsearch-certutil ca --silent --days 3650 --pass '' --out /tmp/ca.p12
  bin/elasticsearch-certutil cert --silent --days 3650 --ca /tmp/ca.p12 --ca-pass '' --pass '' \
    --name node --out /certificates/node.p12
  chown 1000:0 /certificates/node.p12
  chmod 0440 /certificates/node.p12
fi
