/**
 * To be imported before uPlot, which formats by the browser's language as soon as it is loaded. A Chromium without a
 * locale, as in a container, calls itself `en-US@posix`, which is no language tag: Intl throws, and the screen with it.
 */
try {
  new Intl.NumberFormat(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true })
}

export {}
