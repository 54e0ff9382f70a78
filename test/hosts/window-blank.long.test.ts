import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { goTo, openDemo, visit } from '../support/window.ts'

/** The share of the squares of 12 pixels in which nothing is drawn. */
async function blankShare(page: Page): Promise<number> {
  const picture = (await page.screenshot()).toString('base64')
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes]))
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')!
    canvas.drawImage(image, 0, 0)
    let [blank, all] = [0, 0]
    for (let y = 0; y + 12 <= image.height; y += 12)
      for (let x = 0; x + 12 <= image.width; x += 12) {
        const pixels = new Uint32Array(canvas.getImageData(x, y, 12, 12).data.buffer)
        all++
        if (pixels.every((pixel) => pixel === pixels[0])) blank++
      }
    return blank / all
  }, picture)
}

it('no screen is more than 60 % blank at rest in the demo world, in a window of 1440 × 900 pixels', async (context) => {
  const sandbox = await openDemo()
  const page = await visit(context, sandbox.gui, { viewport: { width: 1440, height: 900 } })
  const screens = await page
    .locator('nav a')
    .evaluateAll((links) => [...new Set(links.map((link) => link.getAttribute('href')!))])
  expect(screens.length).toBeGreaterThan(8)
  const shares: Record<string, number> = {}
  for (const hash of screens) {
    await goTo(page, hash)
    await page.locator('main h1').first().waitFor()
    let share = 1
    for (let look = 0; look < 10 && share > 0.6; look++) {
      await page.waitForTimeout(300)
      share = await blankShare(page)
    }
    shares[hash] = Math.round(share * 100)
  }
  expect(Object.entries(shares).filter(([, share]) => share > 60)).toEqual([])
})
