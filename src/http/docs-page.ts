import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { StaticMount } from './static.ts'

const require = createRequire(import.meta.url)

/** The documentation at /docs: a page of our own around a viewer from node_modules; nothing comes from elsewhere. */
export function docsMounts(): StaticMount[] {
  return [
    { at: '/docs', directory: join(import.meta.dirname, 'docs-page') },
    {
      at: '/docs/viewer',
      directory: dirname(require.resolve('swagger-ui-dist/package.json')),
      only: ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'],
    },
  ]
}
