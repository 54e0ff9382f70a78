import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { flushRoute, formatRoute, listenToHash, parseRoute, useRoute } from '../../src/renderer/data/route.ts'

describe('the address', () => {
  it.each([
    ['', { screen: 'now', collection: null, record: null, params: {} }],
    ['#', { screen: 'now', collection: null, record: null, params: {} }],
    ['#/', { screen: 'now', collection: null, record: null, params: {} }],
    ['#/requests', { screen: 'requests', collection: null, record: null, params: {} }],
    [
      '#/customers/EhrQZJNjCd79LLYq',
      { screen: 'record', collection: 'customers', record: 'EhrQZJNjCd79LLYq', params: {} },
    ],
    ['#/customers/', { screen: 'customers', collection: null, record: null, params: {} }],
    ['#/transfers/x12', { screen: 'record', collection: 'transfers', record: 'x12', params: {} }],
    ['#/transfers', { screen: 'payments', collection: 'transfers', record: null, params: {} }],
    ['#/record/x12', { screen: null, collection: null, record: 'x12', params: {} }],
    [
      '#/requests/x12?method=POST&method=PUT&q=a%3Fb%20%C3%A9',
      { screen: 'requests', collection: null, record: 'x12', params: { method: ['POST', 'PUT'], q: ['a?b é'] } },
    ],
    ['#/nowhere/x', { screen: null, collection: null, record: 'x', params: {} }],
    ['#/customers/%E0%A4%A', { screen: 'record', collection: 'customers', record: '%E0%A4%A', params: {} }],
  ])('%s is parsed', (hash, view) => expect(parseRoute(hash)).toEqual(view))

  it.each([
    {
      screen: 'requests',
      collection: null,
      record: 'x1',
      params: { q: ['/customers?a=b&c#d'], method: ['GET', 'POST'] },
    },
    { screen: 'record', collection: 'customers', record: 'a/b?c', params: {} },
    { screen: 'payments', collection: 'returns', record: null, params: {} },
    { screen: 'now', collection: null, record: null, params: { program: ['p'] } },
  ] as const)('is parsed as it was formatted: %j', (view) => expect(parseRoute(formatRoute(view))).toEqual(view))
})

describe('the view', () => {
  let stop = () => {}
  beforeEach(() => {
    location.hash = '#/now'
    stop = listenToHash()
  })
  afterEach(() => stop())

  it('keeps the Program when the screen changes', () => {
    useRoute.setState({ params: { program: ['p2'] } })
    useRoute.getState().go({ collection: 'customers', record: 'c1' })
    expect(location.hash).toBe('#/customers/c1?program=p2')
  })

  it('writes filters to the address, and removes an empty filter', () => {
    const { go, filter } = useRoute.getState()
    useRoute.setState({ params: {} })
    go({ screen: 'requests' })
    filter('q', ['abc'])
    flushRoute()
    expect(location.hash).toBe('#/requests?q=abc')
    filter('q', [])
    flushRoute()
    expect(location.hash).toBe('#/requests')
  })

  it('follows the address', async () => {
    location.hash = '#/requests/x7'
    await expect.poll(() => useRoute.getState().record).toBe('x7')
  })

  it('follows a link that is clicked right after a filter has changed', async () => {
    const { go, filter } = useRoute.getState()
    go({ screen: 'requests' })
    filter('q', ['abc'])
    location.hash = '#/customers'
    // The filter would be written now, before the browser reports the navigation.
    flushRoute()
    expect(location.hash).toBe('#/customers')
    await expect.poll(() => useRoute.getState().screen).toBe('customers')
    expect(useRoute.getState().params.q).toBeUndefined()
  })

  it('keeps a filter that is typed before the browser reports the navigation', async () => {
    const { go, filter } = useRoute.getState()
    go({ screen: 'requests' })
    filter('q', ['abc'])
    await new Promise((heard) => window.addEventListener('hashchange', heard, { once: true }))
    expect(useRoute.getState().params.q).toEqual(['abc'])
    await expect.poll(() => location.hash).toContain('q=abc')
  })
})
