#!/bin/bash
# Starts a node with the users and roles that prepare.sh left, as the image itself would start it.
set -euo pipefail
cd /usr/share/elasticsearch

cp --remove-destination /accounts/roles.yml /accounts/users /accounts/users_roles config/
chmod 0640 config/roles.yml config/users config/users_roles
exec /usr/local/bin/docker-entrypoint.sh eswrapper
