/**
 * Import this before uPlot, which calls Intl with the browser's language when it is loaded. Chromium without a locale,
 * such as in a container, reports `en-US@posix`: Intl throws, as that is no language tag, and the screen would fail.
 */
try {
  new Intl.NumberFormat(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true })
}

export {}
