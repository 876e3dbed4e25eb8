// The architecture as a test: which folder may import which, who owns which package. See docs/architecture.md.

/** What each folder of src may import from src; itself always. `main`, `cli` and what they wire are free. */
const mayImport = {
  domain: [],
  sources: ['domain', 'log'],
  delta: ['domain'],
  store: ['domain', 'log'],
  verify: ['domain', 'delta', 'store', 'log'],
  load: ['domain', 'sources', 'delta', 'store', 'log'],
  http: ['domain', 'store', 'log'],
  embedded: ['domain', 'log'],
  metrics: ['domain', 'store', 'log'],
  config: ['domain'],
}

/** The only files that may import a package; types do not count. */
const owner = {
  '@elastic/elasticsearch': '^src/store/',
  restify: '^src/http/server[.]ts$',
  'csv-writer': '^src/http/csv[.]ts$',
  'node-cron': '^src/(load/schedule|sources/definitions)[.]ts$',
  proj4: '^src/delta/coordinates[.]ts$',
  pino: '^src/log[.]ts$',
  testcontainers: '^src/embedded/docker[.]ts$',
  'prom-client': '^src/metrics/meters[.]ts$',
  '@opentelemetry/(api|sdk-node)': '^src/tracing[.]ts$',
  '(papaparse|@streamparser/json|sax|yauzl|iconv-lite|html-entities|yaml)': '^src/sources/',
  typebox: '^src/(domain|http|sources|embedded|config)/',
}

const folderRules = Object.entries(mayImport).map(([folder, allowed]) => ({
  name: `${folder}-imports-only-${['itself', ...allowed].join('-')}`,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: { path: '^src/', pathNot: `^src/(${[folder, ...allowed].join('|')})(/|[.]ts$)` },
}))

const ownerRules = Object.entries(owner).map(([name, files]) => ({
  name: `only-its-owner-imports-${name.replaceAll(/[^a-z0-9]+/g, '-')}`,
  severity: 'error',
  from: { path: '^src/', pathNot: files },
  // A package whose types we write ourselves resolves to them.
  to: {
    path: `(node_modules/${name}/|^src/http/${name}[.]d[.]ts$)`,
    dependencyTypesNot: ['type-only'],
  },
}))

module.exports = {
  forbidden: [
    ...folderRules,
    ...ownerRules,
    {
      name: 'domain-touches-nothing',
      comment: 'The vocabulary is pure.',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'delta-touches-nothing',
      comment: 'Comparing is pure; the hash of a content is a function too.',
      severity: 'error',
      from: { path: '^src/delta/', pathNot: '^src/delta/content-hash[.]ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'content-hash-only-hashes',
      severity: 'error',
      from: { path: '^src/delta/content-hash[.]ts$' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    },
    {
      name: 'queries-are-pure',
      comment: 'An Elasticsearch body is computed from criteria, nothing is asked meanwhile.',
      severity: 'error',
      from: { path: '^src/store/[a-z-]+-queries[.]ts$' },
      to: {
        path: '^src/',
        pathNot: '^src/(domain/|store/[a-z-]+-queries[.]ts$|store/(visible|documents)[.]ts$)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'endpoints-stand-alone',
      severity: 'error',
      from: { path: '^src/http/endpoints/([^/]+)[.]ts$' },
      to: { path: '^src/http/endpoints/', pathNot: '^src/http/endpoints/$1[.]ts$' },
    },
    {
      name: 'nobody-imports-the-programs',
      severity: 'error',
      from: {},
      to: { path: '^src/(main|cli)[.]ts$' },
    },
    {
      name: 'configuration-arrives-as-an-argument',
      comment: 'Types of it may travel; reading it happens once, where a program starts.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: '^src/(cli|config)/' },
      to: { path: '^src/config/' },
    },
    {
      name: 'src-knows-nothing-of-tests-and-documents',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|docs|bench)/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'everything-resolves',
      severity: 'error',
      from: { path: '^(src|demo)/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
}
