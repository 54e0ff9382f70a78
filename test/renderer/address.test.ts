import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addressOf, listenToAddress, parseAddress, settleAddress, useView } from '../../src/renderer/stores/view.ts'

describe('the address', () => {
  it.each([
    ['', { screen: 'connect', record: null, params: {} }],
    ['#', { screen: 'connect', record: null, params: {} }],
    ['#/', { screen: 'connect', record: null, params: {} }],
    ['#/requests', { screen: 'requests', record: null, params: {} }],
    ['#/customers/EhrQZJNjCd79LLYq', { screen: 'customers', record: 'EhrQZJNjCd79LLYq', params: {} }],
    ['#/customers/', { screen: 'customers', record: null, params: {} }],
    [
      '#/requests/x12?method=POST&method=PUT&q=a%3Fb%20%C3%A9',
      { screen: 'requests', record: 'x12', params: { method: ['POST', 'PUT'], q: ['a?b é'] } },
    ],
    ['#/nowhere/x', { screen: null, record: 'x', params: {} }],
    ['#/customers/%E0%A4%A', { screen: 'customers', record: '%E0%A4%A', params: {} }],
  ])('%s says what is seen', (hash, view) => expect(parseAddress(hash)).toEqual(view))

  it.each([
    { screen: 'requests', record: 'x1', params: { q: ['/customers?a=b&c#d'], method: ['GET', 'POST'] } },
    { screen: 'customers', record: 'a/b?c', params: {} },
    { screen: 'connect', record: null, params: { program: ['p'] } },
  ] as const)('is read as it was written: %j', (view) => expect(parseAddress(addressOf(view))).toEqual(view))
})

describe('the view', () => {
  let stop = () => {}
  beforeEach(() => {
    location.hash = '#/connect'
    stop = listenToAddress()
  })
  afterEach(() => stop())

  it('goes elsewhere and takes the Program along', () => {
    useView.setState({ params: { program: ['p2'] } })
    useView.getState().go({ screen: 'customers', record: 'c1' })
    expect(location.hash).toBe('#/customers/c1?program=p2')
  })

  it('writes filters to the address, and an empty one away', () => {
    const { go, filter } = useView.getState()
    useView.setState({ params: {} })
    go({ screen: 'requests' })
    filter('q', ['abc'])
    settleAddress()
    expect(location.hash).toBe('#/requests?q=abc')
    filter('q', [])
    settleAddress()
    expect(location.hash).toBe('#/requests')
  })

  it('follows the address', async () => {
    location.hash = '#/requests/x7'
    await expect.poll(() => useView.getState().record).toBe('x7')
  })
})
