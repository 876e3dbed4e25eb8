import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { openBrowser, settled, type Visit, visit } from './page.ts'
import { demo, serveDashboard, type TestService } from './service.ts'

/** The dashboard over the demo, one visit a test. */
export interface Dashboard {
  /** opens a view and waits until all of it is there */
  open(at: string, key?: string): Promise<Page>
  /** the visit of this test */
  readonly seen: Visit
  /** what the API says to the same question */
  ask<Body>(path: string): Promise<Body>
  /** the parameters of the last request that had this one */
  lastAsked(parameter: string): URLSearchParams
}

/** A browser and the dashboard's service, for one group of tests. */
export interface Served {
  readonly browser: Browser
  readonly service: TestService
}

export function useService(): Served {
  let browser: Browser
  let service: TestService
  beforeAll(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), serveDashboard()])
  })
  afterAll(async () => {
    await browser.close()
    await service.close()
  })
  return {
    get browser() {
      return browser
    },
    get service() {
      return service
    },
  }
}

/** For one group of tests; a visit that met an error, or asked another host, fails its test. */
export function useDashboard(): Dashboard {
  const served = useService()
  let seen: Visit
  afterEach(async () => {
    expect(seen.faults).toEqual([])
    await seen.close()
  })
  return {
    async open(at, key = demo().keys.everywhere) {
      seen = await visit(served.browser, { url: served.service.url, key, at })
      await settled(seen)
      return seen.page
    },
    get seen() {
      return seen
    },
    ask: (path) => served.service.ask(path, demo().keys.everywhere),
    lastAsked(parameter) {
      const path = seen.asked.findLast((asked) => asked.includes(`${parameter}=`))
      return new URLSearchParams(path?.split('?')[1])
    },
  }
}
