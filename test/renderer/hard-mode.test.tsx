import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { defaultSettings } from '../../src/api/domain/seed.ts'
import { program, showApp } from './support.tsx'

it('the settings show the seed of hard_mode with the drawn values, and mark each setting that it has drawn', async () => {
  const drawn_settings = ['list_order', 'shows_nulls']
  const lists = { products: [], synthetic_account_types: [] }
  const hard = {
    ...defaultSettings,
    ...program,
    ...lists,
    hard_mode: '7',
    drawn_settings,
    list_order: 'oldest_first',
    shows_nulls: false,
  }
  showApp('/#/settings', { 'programs.list': { programs: [hard] } })
  const seed = await screen.findByLabelText('hard_mode')
  expect(seed).toHaveProperty('value', '7')
  await screen.findByText('Drawn: list_order oldest_first · shows_nulls off')
  const marked = screen.getAllByText('Drawn by hard_mode').map((mark) => mark.parentElement?.parentElement?.textContent)
  expect(marked).toHaveLength(2)
  expect(marked.join()).toMatch(/shows_nulls.*list_order/s)
})
