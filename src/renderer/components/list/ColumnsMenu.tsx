import { Columns3 } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import { isShown, orderColumns } from '../../ui/column-layout.ts'
import { Menu, MenuCheckItem, MenuItem, MenuSeparator } from '../../ui/Menu.tsx'
import type { TableTools } from './use-table-tools.ts'

/** Chooses the columns of a list. */
export function ColumnsMenu({ tools: { all, layout, show, reset } }: { readonly tools: TableTools<never> }) {
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
        <MenuCheckItem key={column.id} checked={isShown(column, layout)} onChange={(shown) => show(column.id, shown)}>
          {column.header}
        </MenuCheckItem>
      ))}
      <MenuSeparator />
      <MenuItem onClick={reset}>Reset columns</MenuItem>
    </Menu>
  )
}
