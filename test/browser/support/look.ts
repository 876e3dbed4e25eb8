import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'

const LOOKS = join(import.meta.dirname, '..', 'looks')
const COLUMNS = 24
const ROWS = 18

/**
 * How far a picture is from the look that was kept, from 0 to 1: both as a coarse grid of grey values, so that other
 * fonts and other dates of the demo do not matter, a panel that is missing or black does. A look that is not there
 * is written, except in CI.
 */
export async function distanceFromLook(
  browser: Browser,
  name: string,
  picture: Buffer,
): Promise<number> {
  const grid = await gridOf(browser, picture)
  const file = join(LOOKS, `${name}.json`)
  if (!existsSync(file)) {
    if (process.env.CI) throw new Error(`no look is kept of ${name}`)
    await writeFile(file, `${JSON.stringify(grid)}\n`)
  }
  const kept: number[] = JSON.parse(await readFile(file, 'utf8'))
  const sum = grid.reduce((total, grey, i) => total + Math.abs(grey - (kept[i] ?? 255)), 0)
  return sum / grid.length / 255
}

async function gridOf(browser: Browser, picture: Buffer): Promise<number[]> {
  const page = await browser.newPage()
  try {
    return await page.evaluate(
      async ({ source, columns, rows }) => {
        const image = new Image()
        image.src = source
        await image.decode()
        const canvas = new OffscreenCanvas(columns, rows)
        const pen = canvas.getContext('2d')
        if (!pen) throw new Error('no canvas')
        pen.imageSmoothingQuality = 'high'
        pen.drawImage(image, 0, 0, columns, rows)
        const { data } = pen.getImageData(0, 0, columns, rows)
        return Array.from({ length: columns * rows }, (_, i) => {
          const [red = 0, green = 0, blue = 0] = data.subarray(i * 4, i * 4 + 3)
          return Math.round((red + green + blue) / 3)
        })
      },
      {
        source: `data:image/png;base64,${picture.toString('base64')}`,
        columns: COLUMNS,
        rows: ROWS,
      },
    )
  } finally {
    await page.close()
  }
}
