import { Columns3 } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import { isShown, orderColumns } from '../../ui/column-layout.ts'
import { Menu, MenuCheckItem, MenuItem, MenuSeparator } from '../../ui/Menu.tsx'
import type { TableTools } from './use-table-tools.ts'

interface ColumnsMenuProps {
  readonly tools: TableTools
  /** The columns that have space. */
  readonly visible: readonly { readonly id: string }[]
}

/** Chooses the columns of a list. One that has no space is shown if the user chooses it: then the list scrolls sideways. */
export function ColumnsMenu({ tools: { all, layout, show, reset }, visible }: ColumnsMenuProps) {
  const hasSpace = (id: string) => visible.some((column) => column.id === id)
  return (
    <Menu
      align="end"
      trigger={
        <Button small bare>
          <Columns3 size={12} strokeWidth={1.8} aria-hidden="true" />
          Columns
        </Button>
      }
    >
      {orderColumns(all, layout).map((column) => (
        <MenuCheckItem key={column.id} checked={hasSpace(column.id)} onChange={(shown) => show(column.id, shown)}>
          {column.header}
          {isShown(column, layout) && !hasSpace(column.id) && <span className="meta">no space</span>}
        </MenuCheckItem>
      ))}
      <MenuSeparator />
      <MenuItem onClick={reset}>Reset columns</MenuItem>
    </Menu>
  )
}
