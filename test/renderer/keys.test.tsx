import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { useFind } from '../../src/renderer/data/overlays.ts'
import { useRoute } from '../../src/renderer/data/route.ts'
import { useShortcuts } from '../../src/renderer/frame/shortcuts.ts'

/** Keyboard shortcuts of one key, and of two keys in sequence. */

afterEach(cleanup)

const hear = () => {
  renderHook(() => useShortcuts())
  useRoute.getState().go({ screen: 'requests' })
}

/** `at`: milliseconds since the window was opened. */
function press(key: string, at: number) {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
  Object.defineProperty(event, 'timeStamp', { value: at })
  document.body.dispatchEvent(event)
  return useRoute.getState().screen
}

it('a single letter does not navigate, not even in the first second of the window', () => {
  hear()
  expect(press('n', 20)).toBe('requests')
  expect(press('n', 60_000)).toBe('requests')
})

it('g and then a letter open a screen; the next letter alone does not', () => {
  hear()
  press('g', 20)
  expect(press('f', 900)).toBe('faults')
  expect(press('u', 950)).toBe('faults')
  press('g', 60_000)
  expect(press('u', 62_000)).toBe('faults')
})

it('in the search field, an arrow down selects the first row and Enter leads to the rows', () => {
  hear()
  const main = document.body.appendChild(document.createElement('main'))
  onTestFinished(() => main.remove())
  main.innerHTML = '<input data-search><div role="grid" tabindex="0"></div>'
  const [field, grid] = [main.querySelector('input')!, main.querySelector('div')!]
  const heard: string[] = []
  grid.addEventListener('keydown', ({ key }) => heard.push(key))
  for (const key of ['Enter', 'ArrowDown']) {
    field.focus()
    field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    expect(document.activeElement).toBe(grid)
  }
  expect(heard).toEqual(['ArrowDown'])
})

it('Ctrl F opens the find bar in the desktop app only; a browser has its own', () => {
  hear()
  const press = () => {
    const event = new KeyboardEvent('keydown', { key: 'f', ctrlKey: true, bubbles: true, cancelable: true })
    document.body.dispatchEvent(event)
    return [event.defaultPrevented, useFind.getState().open]
  }
  expect(press()).toEqual([false, false])
  vi.stubGlobal('desk', {})
  expect(press()).toEqual([true, true])
  vi.unstubAllGlobals()
})
