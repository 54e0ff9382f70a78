import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { type Column, DataTable } from '../../src/renderer/ui/DataTable.tsx'
import { useKeepFocus } from '../../src/renderer/ui/use-keep-focus.ts'

afterEach(cleanup)

function Buttons({ busy }: { busy: boolean }) {
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

  it('moves to Cancel while the buttons are replaced, and back afterwards', () => {
    const { rerender } = render(<Buttons busy={false} />)
    screen.getByText('1 day').focus()
    rerender(<Buttons busy />)
    expect(focused()).toBe('Cancel')
    rerender(<Buttons busy={false} />)
    expect(focused()).toBe('1 day')
  })

  it('stays where it is if it was not on the buttons', () => {
    const { rerender } = render(<Buttons busy={false} />)
    rerender(<Buttons busy />)
    expect(document.activeElement).toBe(document.body)
  })
})

describe('a list', () => {
  const columns: readonly Column<{ uid: string }>[] = [
    { id: 'uid', header: 'uid', width: '1fr', cell: ({ uid }) => uid },
  ]
  const rows = Array.from({ length: 50 }, (_, at) => ({ uid: `r${at}` }))
  const list = (scrollKey?: string) => (
    <DataTable
      label="All"
      columns={columns}
      rows={rows}
      idOf={({ uid }) => uid}
      selected={null}
      onSelect={() => {}}
      minWidth={0}
      {...(scrollKey === undefined ? {} : { scrollKey })}
    />
  )

  it('keeps its scroll position, and another list starts at the top', () => {
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
