import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { maskedConfig, readConfig } from '../../../src/config/read-config.ts'
import { type Config, Settings } from '../../../src/config/settings.ts'
import { OperatorError } from '../../../src/domain/problem.ts'

const DEFAULTS: Config = {
  INDEX_PREFIX: 'farmacias',
  INDEX_SHARDS: 1,
  INDEX_REPLICAS: 0,
  HOST: '127.0.0.1',
  PORT: 3000,
  METRICS_HOST: '127.0.0.1',
  DATA_DIR: resolve('data'),
  EXPORT_CACHE_MB: 2000,
  ARCHIVE_KEEP_DAYS: 0,
  RATE_LIMIT_PER_MINUTE: 600,
  LOG_LEVEL: 'info',
}

function faultsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env)
    return []
  } catch (cause) {
    if (cause instanceof OperatorError) return cause.message.split('\n')
    throw cause
  }
}

test('an empty environment gives the documented defaults', () => {
  expect(readConfig({})).toEqual(DEFAULTS)
})

test('every setting is read, paths become absolute, a cluster gets a replica', () => {
  const given = {
    ELASTICSEARCH_URL: 'https://one.example:9200, https://two.example:9200',
    ELASTICSEARCH_USERNAME: 'loader',
    ELASTICSEARCH_PASSWORD: 'secret',
    ELASTICSEARCH_CA: 'package.json',
    ELASTICSEARCH_CACHE_DIR: 'cache',
    ES_JAVA_HOME: 'src',
    ES_JAVA_OPTS: '-Xmx2g',
    INDEX_PREFIX: 'registro-2',
    INDEX_SHARDS: '4',
    HOST: '0.0.0.0',
    PORT: '8080',
    METRICS_PORT: '9464',
    METRICS_HOST: '0.0.0.0',
    ALERT_WEBHOOK_URL: 'https://hooks.example/token',
    ALERT_WEBHOOK_SECRET: 'sixteen characters',
    SOURCES_DIR: 'src',
    DATA_DIR: '/srv/data',
    EXPORT_CACHE_MB: '500',
    ARCHIVE_KEEP_DAYS: '400',
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
  }
  expect(readConfig(given)).toEqual({
    ...given,
    EXPORT_CACHE_MB: 500,
    ELASTICSEARCH_CA: resolve('package.json'),
    ELASTICSEARCH_CACHE_DIR: resolve('cache'),
    ES_JAVA_HOME: resolve('src'),
    INDEX_SHARDS: 4,
    INDEX_REPLICAS: 1,
    PORT: 8080,
    METRICS_PORT: 9464,
    SOURCES_DIR: resolve('src'),
    ARCHIVE_KEEP_DAYS: 400,
    RATE_LIMIT_PER_MINUTE: 0,
  })
})

test.each([
  ['PORT', 'eighty', 'PORT must be a whole number from 0 to 65535, not "eighty".'],
  ['PORT', '70000', 'PORT must be a whole number from 0 to 65535, not "70000".'],
  ['PORT', '0x50', 'PORT must be a whole number from 0 to 65535, not "0x50".'],
  ['PORT', '3000.5', 'PORT must be a whole number from 0 to 65535, not "3000.5".'],
  ['PORT', '', 'PORT is empty: give it a value or remove it.'],
  ['METRICS_PORT', '0', 'METRICS_PORT must be a whole number from 1 to 65535, not "0".'],
  ['METRICS_PORT', '3000', 'METRICS_PORT must differ from PORT.'],
  [
    'RATE_LIMIT_PER_MINUTE',
    '-1',
    'RATE_LIMIT_PER_MINUTE must be a whole number from 0 to 1000000, not "-1".',
  ],
  [
    'INDEX_PREFIX',
    'Farmacias',
    'INDEX_PREFIX must be lower-case letters, digits, - and _, starting with a letter or digit, not "Farmacias".',
  ],
  ['INDEX_REPLICAS', '11', 'INDEX_REPLICAS must be a whole number from 0 to 10, not "11".'],
  ['HOST', 'my host', 'HOST must be a host name or an IP address, not "my host".'],
  [
    'ELASTICSEARCH_URL',
    'localhost:9200',
    'ELASTICSEARCH_URL must be http:// or https:// addresses separated by commas, not "localhost:9200".',
  ],
  [
    'ELASTICSEARCH_URL',
    'http://a:9200,',
    'ELASTICSEARCH_URL must be http:// or https:// addresses separated by commas, not "http://a:9200,".',
  ],
  [
    'LOG_LEVEL',
    'verbose',
    'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "verbose".',
  ],
  [
    'SOURCES_DIR',
    'no/such',
    `SOURCES_DIR names a directory that is not there: ${resolve('no/such')}.`,
  ],
  [
    'ES_JAVA_HOME',
    'package.json',
    `ES_JAVA_HOME names a directory that is not there: ${resolve('package.json')}.`,
  ],
])('%s=%j is refused', (name, value, fault) => {
  expect(faultsOf({ [name]: value })).toEqual([fault])
})

test.each([
  ['ELASTICSEARCH_ULR', 'ELASTICSEARCH_ULR is not a setting; did you mean ELASTICSEARCH_URL?'],
  ['ELASTIC_SEARCH_URL', 'ELASTIC_SEARCH_URL is not a setting; did you mean ELASTICSEARCH_URL?'],
  ['ELASTICSEARCH_HOSTS', 'ELASTICSEARCH_HOSTS is not a setting.'],
  ['INDEX_PREFX', 'INDEX_PREFX is not a setting; did you mean INDEX_PREFIX?'],
  ['INDEX_NAME', 'INDEX_NAME is not a setting.'],
  ['RATE_LIMIT_PER_MIN', 'RATE_LIMIT_PER_MIN is not a setting.'],
  [
    'RATELIMIT_PER_MINUTE',
    'RATELIMIT_PER_MINUTE is not a setting; did you mean RATE_LIMIT_PER_MINUTE?',
  ],
  ['METRICS_PROT', 'METRICS_PROT is not a setting; did you mean METRICS_PORT?'],
  ['SOURCE_DIR', 'SOURCE_DIR is not a setting; did you mean SOURCES_DIR?'],
  ['DATADIR', 'DATADIR is not a setting; did you mean DATA_DIR?'],
  ['LOG_LEVLE', 'LOG_LEVLE is not a setting; did you mean LOG_LEVEL?'],
  ['log_level', 'log_level is not a setting; did you mean LOG_LEVEL?'],
])('%s is refused as unknown', (name, fault) => {
  expect(faultsOf({ [name]: 'x' })).toEqual([fault])
})

test("the machine's own variables are none of our business", () => {
  const machine = {
    PATH: '/usr/bin',
    HOME: '/home/ana',
    HOSTNAME: 'laptop',
    HOSTTYPE: 'x86_64',
    LANG: 'es_ES.UTF-8',
    SHELL: '/bin/sh',
    USER: 'ana',
    PWD: '/',
    TERM: 'xterm',
    JAVA_HOME: '/opt/java',
    NODE_ENV: 'production',
    CI: 'true',
    POST: '1',
    XDG_DATA_DIRS: '/usr/share',
    PIP_INDEX_URL: 'x',
    DOCKER_HOST: 'unix:///run/docker.sock',
    ELASTIC_PASSWORD: 'x',
    npm_config_cache: '/home/ana/.npm',
    npm_package_name: 'x',
    GITHUB_SHA: 'x',
    RUNNER_TEMP: 'x',
    LOGNAME: 'ana',
    ELASTICSEARCH_SERVICE_HOST: '10.0.0.1',
    ELASTICSEARCH_SERVICE_PORT: '9200',
    ELASTICSEARCH_SERVICE_PORT_HTTP: '9200',
    ELASTICSEARCH_PORT: 'tcp://10.0.0.1:9200',
    ELASTICSEARCH_PORT_9200_TCP_ADDR: '10.0.0.1',
    TESTCONTAINERS_RYUK_DISABLED: 'true',
  }
  expect(readConfig(machine)).toEqual(DEFAULTS)
})

test('credentials must be complete, of one kind and for a cluster', () => {
  const url = { ELASTICSEARCH_URL: 'https://es.example' }
  expect(faultsOf({ ...url, ELASTICSEARCH_USERNAME: 'a' })).toEqual([
    'ELASTICSEARCH_USERNAME and ELASTICSEARCH_PASSWORD go together: set both or neither.',
  ])
  expect(
    faultsOf({
      ...url,
      ELASTICSEARCH_USERNAME: 'a',
      ELASTICSEARCH_PASSWORD: 'b',
      ELASTICSEARCH_API_KEY: 'c',
    }),
  ).toEqual(['ELASTICSEARCH_API_KEY and ELASTICSEARCH_USERNAME exclude each other: set one.'])
  expect(faultsOf({ ELASTICSEARCH_API_KEY: 'c' })).toEqual([
    'ELASTICSEARCH_API_KEY needs ELASTICSEARCH_URL: the embedded node takes no credentials.',
  ])
})

test('all faults are reported at once, each on a line of its own', () => {
  expect(faultsOf({ PORT: 'x', LOG_LEVEL: 'loud', INDEX_PREFX: 'a' })).toEqual([
    'INDEX_PREFX is not a setting; did you mean INDEX_PREFIX?',
    'PORT must be a whole number from 0 to 65535, not "x".',
    'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "loud".',
  ])
})

test('the masked settings show everything but secrets', () => {
  const config = readConfig({
    ELASTICSEARCH_URL: 'http://elastic:secret@one:9200,http://two:9200',
    ELASTICSEARCH_API_KEY: 'secret',
  })
  const masked = maskedConfig(config)
  expect(Object.keys(masked)).toEqual(Object.keys(Settings.properties))
  expect(masked).toMatchObject({
    ELASTICSEARCH_URL: 'http://***@one:9200,http://two:9200',
    ELASTICSEARCH_API_KEY: '***',
    ELASTICSEARCH_PASSWORD: null,
    PORT: 3000,
  })
  expect(JSON.stringify(masked)).not.toContain('secret')
})

test('every setting has a description, and a required one a default', () => {
  const settings = Object.entries(JSON.parse(JSON.stringify(Settings.properties)))
  for (const [name, setting] of settings) {
    expect(setting, name).toHaveProperty('description', expect.stringMatching(/\.$/))
  }
  expect(Settings.required.filter((name) => !(name in DEFAULTS))).toEqual([])
})
