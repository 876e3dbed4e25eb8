#!/bin/bash
# Runs as root before Elasticsearch starts, and leaves what it needs in /accounts and /certificates: users with the
# passwords of .env, their roles, and the certificate with which the nodes of a cluster know each other.
# Run at every start, so that a changed password takes effect; what must stay the same is made once.
set -euo pipefail
cd /usr/share/elasticsearch

chown 1000:0 /backups

cp /setup/roles.yml config/roles.yml
: > config/users
: > config/users_roles
bin/elasticsearch-users useradd registry_api -p "$API_PASSWORD" -r registry_api
bin/elasticsearch-users useradd registry_loader -p "$LOADER_PASSWORD" -r registry_loader
bin/elasticsearch-users useradd registry_operator -p "$OPERATOR_PASSWORD" -r registry_operator
cp config/roles.yml config/users config/users_roles /accounts/
chmod 0444 /accounts/*

if [ ! -f /certificates/node.p12 ]; then
  bin/elasticsearch-certutil ca --silent --days 3650 --pass '' --out /tmp/ca.p12
  bin/elasticsearch-certutil cert --silent --days 3650 --ca /tmp/ca.p12 --ca-pass '' --pass '' \
    --name node --out /certificates/node.p12
  chown 1000:0 /certificates/node.p12
  chmod 0440 /certificates/node.p12
fi
