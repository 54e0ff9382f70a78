import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { type Column, DataTable } from '../../src/renderer/ui/DataTable.tsx'
import { useKeepFocus } from '../../src/renderer/ui/use-keep-focus.ts'

afterEach(cleanup)

function Place({ busy }: { busy: boolean }) {
  const box = useKeepFocus<HTMLDivElement>(busy)
  const names = busy ? ['Cancel'] : ['1 hour', '1 day']
  return (
    <div ref={box}>
      {names.map((name) => (
        <button key={name} type="button" data-stop={busy ? '' : undefined}>
          {name}
        </button>
      ))}
    </div>
  )
}

describe('the focus', () => {
  const focused = () => document.activeElement?.textContent

  it('goes to the way to stop while something else is in its place, and back in the end', () => {
    const { rerender } = render(<Place busy={false} />)
    screen.getByText('1 day').focus()
    rerender(<Place busy />)
    expect(focused()).toBe('Cancel')
    rerender(<Place busy={false} />)
    expect(focused()).toBe('1 day')
  })

  it('is left where it is when it was elsewhere', () => {
    const { rerender } = render(<Place busy={false} />)
    rerender(<Place busy />)
    expect(document.activeElement).toBe(document.body)
  })
})

describe('a list', () => {
  const columns: readonly Column<{ uid: string }>[] = [
    { id: 'uid', header: 'uid', width: '1fr', cell: ({ uid }) => uid },
  ]
  const rows = Array.from({ length: 50 }, (_, at) => ({ uid: `r${at}` }))
  const list = (place?: string) => (
    <DataTable
      label="All"
      columns={columns}
      rows={rows}
      idOf={({ uid }) => uid}
      selected={null}
      onSelect={() => {}}
      minWidth={0}
      {...(place === undefined ? {} : { scrollKey: place })}
    />
  )

  it('is found again as far down as it was left, and another one at its top', () => {
    const first = render(list('one'))
    const grid = screen.getByRole('grid')
    grid.scrollTop = 420
    fireEvent.scroll(grid)
    first.unmount()
    const again = render(list('one'))
    expect(screen.getByRole('grid').scrollTop).toBe(420)
    again.unmount()
    render(list('two'))
    expect(screen.getByRole('grid').scrollTop).toBe(0)
  })
})
