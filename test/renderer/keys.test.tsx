import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { useRoute } from '../../src/renderer/data/route.ts'
import { useShortcuts } from '../../src/renderer/frame/shortcuts.ts'

/** The window's keys: two of them one after the other, and one alone. */

afterEach(cleanup)

const hear = () => {
  renderHook(() => useShortcuts({ showShortcuts: () => {}, announce: () => {} }))
  useRoute.getState().go({ screen: 'requests' })
}

/** `at`: milliseconds since the window was opened. */
function press(key: string, at: number) {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
  Object.defineProperty(event, 'timeStamp', { value: at })
  document.body.dispatchEvent(event)
  return useRoute.getState().screen
}

it('a letter alone goes nowhere, in the first second of the window too', () => {
  hear()
  expect(press('n', 20)).toBe('requests')
  expect(press('n', 60_000)).toBe('requests')
})

it('g and a letter soon after it go to a screen; the letter after that is alone again', () => {
  hear()
  press('g', 20)
  expect(press('n', 900)).toBe('snapshots')
  expect(press('t', 950)).toBe('snapshots')
  press('g', 60_000)
  expect(press('t', 62_000)).toBe('snapshots')
})
