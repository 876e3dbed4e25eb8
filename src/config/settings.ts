import Type from 'typebox'

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const ADDRESS = 'https?://[^\\s,/]+/?[^\\s,]*'

/** A port of this machine; 0 lets the system choose one. */
const Port = (options: object) => Type.Integer({ minimum: 0, maximum: 65_535, ...options })
const Text = (options: object) => Type.String({ minLength: 1, ...options })
const HOST_NAME = { pattern: '^[A-Za-z0-9.:_-]+$', expected: 'a host name or an IP address' }

/**
 * Every setting of the program, under the name of its environment variable: the one list that reading, checking,
 * masking and the documentation come from. `expected` completes "must be …"; `secret` is never shown;
 * `path` is made absolute and, where `exists` says so, must be there; `otherwise` describes a default that depends on others.
 */
export const Settings = Type.Object(
  {
    ELASTICSEARCH_URL: Type.Optional(
      Text({
        description: 'Use this cluster (comma-separated nodes). Set it in production.',
        pattern: `^${ADDRESS}(,\\s*${ADDRESS})*$`,
        expected: 'http:// or https:// addresses separated by commas',
      }),
    ),
    ELASTICSEARCH_API_KEY: Type.Optional(
      Text({ description: 'API key for the cluster.', secret: true }),
    ),
    ELASTICSEARCH_USERNAME: Type.Optional(
      Text({ description: 'User for the cluster, with ELASTICSEARCH_PASSWORD.' }),
    ),
    ELASTICSEARCH_PASSWORD: Type.Optional(
      Text({ description: 'Password of ELASTICSEARCH_USERNAME.', secret: true }),
    ),
    ELASTICSEARCH_CA: Type.Optional(
      Text({
        description: 'File with the CA that signed the certificates of the cluster.',
        path: true,
        exists: 'file',
      }),
    ),
    ELASTICSEARCH_CACHE_DIR: Type.Optional(
      Text({
        description: 'Where a fetched Elasticsearch is unpacked, for all clones to share.',
        path: true,
        otherwise: "the user's cache folder",
      }),
    ),
    ES_JAVA_HOME: Type.Optional(
      Text({
        description: 'JDK 21 or newer for the embedded Elasticsearch.',
        path: true,
        exists: 'directory',
        otherwise: 'JAVA_HOME, then the usual places',
      }),
    ),
    ES_JAVA_OPTS: Type.Optional(
      Text({
        description: 'JVM options of the embedded Elasticsearch, such as -Xms2g -Xmx2g.',
        otherwise: 'a heap of 1 GB',
      }),
    ),
    INDEX_PREFIX: Text({
      description: 'All index names start with it; two registries can share a cluster.',
      default: 'farmacias',
      pattern: '^[a-z0-9][a-z0-9_-]{0,99}$',
      expected: 'lower-case letters, digits, - and _, starting with a letter or digit',
    }),
    INDEX_SHARDS: Type.Integer({
      description: 'Primary shards of each index that grows, when it is made.',
      default: 1,
      minimum: 1,
      maximum: 1024,
    }),
    INDEX_REPLICAS: Type.Integer({
      description: 'Copies of each shard on other nodes.',
      otherwise: '1 with ELASTICSEARCH_URL, else 0',
      minimum: 0,
      maximum: 10,
    }),
    HOST: Text({
      description: 'Where the API listens.',
      default: '127.0.0.1',
      ...HOST_NAME,
    }),
    PORT: Port({ description: 'Port of the API and the dashboard.', default: 3000 }),
    METRICS_PORT: Type.Optional(
      Port({
        description: 'Prometheus metrics on a listener of their own.',
        otherwise: 'off',
        minimum: 1,
      }),
    ),
    METRICS_HOST: Text({
      description:
        'Where the metrics listen; only a container of its own needs another than loopback.',
      default: '127.0.0.1',
      ...HOST_NAME,
    }),
    ALERT_WEBHOOK_URL: Type.Optional(
      Text({
        description: 'Address that quarantined and failed runs are posted to (docs/operations.md).',
        pattern: `^${ADDRESS}$`,
        expected: 'an http:// or https:// address',
        otherwise: 'nobody is told',
        secret: true,
      }),
    ),
    ALERT_WEBHOOK_SECRET: Type.Optional(
      Text({
        description: 'Signs what is posted to ALERT_WEBHOOK_URL.',
        minLength: 16,
        expected: 'at least 16 characters',
        otherwise: 'unsigned',
        secret: true,
      }),
    ),
    SOURCES_DIR: Type.Optional(
      Text({
        description: 'Folder of source definitions.',
        path: true,
        exists: 'directory',
        otherwise: 'the bundled demo',
      }),
    ),
    DATA_DIR: Text({
      description: 'Snapshot archive, export cache, embedded Elasticsearch data.',
      default: './data',
      path: true,
    }),
    EXPORT_CACHE_MB: Type.Integer({
      description:
        'Room in DATA_DIR/exports for finished exports; what was not asked for longest leaves first. 0 keeps none.',
      default: 2000,
      minimum: 0,
      maximum: 1_000_000,
    }),
    ARCHIVE_KEEP_DAYS: Type.Integer({
      description:
        'Days to keep archived raw snapshots; the last applied one of a territory and quarantined ones always stay. 0 keeps all.',
      default: 0,
      minimum: 0,
      maximum: 36_500,
    }),
    BACKUP_REPOSITORY: Type.Optional(
      Text({
        description: 'Snapshot repository of Elasticsearch for `backup`.',
        pattern: '^[a-z0-9][a-z0-9_-]{0,99}$',
        expected: 'lower-case letters, digits, - and _, starting with a letter or digit',
        otherwise: 'pharmacy-registry, made when it is missing',
      }),
    ),
    BACKUP_DIR: Type.Optional(
      Text({
        description:
          'Where a missing repository is made: a folder as the nodes of Elasticsearch see it, below their path.repo.',
        otherwise: 'the first path.repo of the nodes',
      }),
    ),
    RATE_LIMIT_PER_MINUTE: Type.Integer({
      description: 'Requests per minute and key; 0 turns it off.',
      default: 600,
      minimum: 0,
      maximum: 1_000_000,
    }),
    LOG_LEVEL: Type.Enum(LOG_LEVELS, {
      description: 'JSON lines, one per request, with request id and key id, never the key.',
      default: 'info',
      expected: `one of ${LOG_LEVELS.join(', ')}`,
    }),
  },
  { additionalProperties: false },
)
export type Config = Type.Static<typeof Settings>
