import { describe, expect, it } from 'vitest'
import { useService } from './support/dashboard.ts'
import { figureOf, hasBrowser, settled, visit } from './support/page.ts'
import { demo, serveDashboard } from './support/service.ts'

describe.runIf(hasBrowser)('keys, refusals and outages', () => {
  const on = useService()

  it('takes the key out of the address at once and sends it in a header only', async () => {
    const key = demo().keys.everywhere
    const seen = await visit(on.browser, { url: on.service.url, keyInFragment: key })
    const urls: string[] = []
    seen.page.on('request', (request) => urls.push(request.url()))
    await settled(seen)
    expect(await seen.page.evaluate(() => location.href)).not.toContain(key)
    expect(await seen.page.evaluate(() => sessionStorage.getItem('registry-key'))).toBe(key)
    expect(await seen.page.evaluate(() => JSON.stringify(localStorage))).not.toContain(key)
    expect(urls.filter((url) => url.includes(key))).toEqual([])
    await seen.page.reload()
    await settled(seen)
    expect(seen.faults).toEqual([])
    await seen.close()
  })

  it('asks for a key, says that one is refused, and takes a good one', async () => {
    const seen = await visit(on.browser, {
      url: on.service.url,
      at: '/latest',
      expectsRefusals: true,
    })
    const { page } = seen
    await page.getByRole('button', { name: 'Entrar' }).click()
    expect(await page.getByRole('alert').textContent()).toContain('Escriba una clave')
    await page.getByLabel('Clave de la API').fill('frk_000000000000_wrong')
    await page.keyboard.press('Enter')
    await page.getByText('La clave no es válida').waitFor()
    await page.getByLabel('Clave de la API').fill(demo().keys.everywhere)
    await page.keyboard.press('Enter')
    await settled(seen)
    expect(await page.getByRole('heading', { name: 'Abiertas' }).count()).toBe(1)
    expect(seen.faults).toEqual([])
    await page.getByRole('button', { name: 'Cambiar de clave' }).click()
    await page.getByLabel('Clave de la API').waitFor()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    await seen.close()
  })

  it('comes back to the gate when a key stops being good', async () => {
    const seen = await visit(on.browser, {
      url: on.service.url,
      keyInFragment: 'frk_000000000000_gone',
      expectsRefusals: true,
    })
    await seen.page.getByText('La clave no es válida: no existe').waitFor()
    expect(await seen.page.evaluate(() => sessionStorage.length)).toBe(0)
    await seen.close()
  })

  it('says that the key must wait, and until when', async () => {
    const limited = await serveDashboard({ rateLimitPerMinute: 4 })
    const key = demo().keys.everywhere
    const seen = await visit(on.browser, { url: limited.url, key, expectsRefusals: true })
    const banner = seen.page.locator('.banner.is-waiting')
    await banner.waitFor()
    expect(await banner.textContent()).toMatch(/La clave ha agotado sus peticiones.* en \d+ s/)
    expect(await seen.page.locator('.problem').first().textContent()).toContain(
      'Demasiadas peticiones',
    )
    expect(seen.faults).toEqual([])
    await seen.close()
    await limited.close()
  })

  it('keeps what was shown while the API is away, and catches up when it is back', async () => {
    const first = await serveDashboard()
    const port = Number(new URL(first.url).port)
    const key = demo().keys.everywhere
    const seen = await visit(on.browser, { url: first.url, key, expectsRefusals: true })
    await settled(seen)
    const total = await figureOf(seen, '[data-count=total]')
    await first.close()

    await seen.page.getByLabel('180 días').check()
    const banner = seen.page.locator('.banner.is-bad')
    await banner.waitFor()
    expect(await banner.textContent()).toContain(
      'La API no responde. Se muestra lo último recibido',
    )
    await seen.page.getByLabel('30 días').check()

    // What is still asked would be answered by the second, and take the button away before it is clicked.
    await settled(seen)
    const again = banner.getByRole('button', { name: 'Reintentar' })
    await again.click()
    await settled(seen)
    expect(await banner.count()).toBe(1)

    const second = await serveDashboard({ port })
    await again.click()
    await banner.waitFor({ state: 'detached' })
    await settled(seen)
    expect(await figureOf(seen, '[data-count=total]')).toBe(total)
    expect(seen.faults).toEqual([])
    await seen.close()
    await second.close()
  })

  it('shows a refused question in its panel', async () => {
    const key = demo().keys.scoped
    const seen = await visit(on.browser, {
      url: on.service.url,
      key,
      at: '/overview?territories=ES-CT',
      expectsRefusals: true,
    })
    await seen.page.getByText('La clave no permite ver este territorio').first().waitFor()
    await seen.close()
  })
})
