import { showTrial } from '../data/trying.ts'
import { Button } from '../ui/Button.tsx'
import { type Action, perform } from './action.ts'

interface ActionButtonProps extends Omit<React.ComponentProps<typeof Button>, 'title' | 'onClick'> {
  readonly action: Action
}

/**
 * The button of an action. While it is blocked, the tooltip says why. With Alt, or by T, it shows what it would do. `children` take the
 * place of icon and label.
 */
export function ActionButton({ action, children, iconOnly, ...button }: ActionButtonProps) {
  const { icon, title, label = title, blocked, detail, tries } = action
  const tip = blocked ?? (iconOnly ? label : detail)
  const tried = tries && !blocked && { title: `Try it: ${title}`, calls: tries }
  return (
    <Button
      {...button}
      icon={children === undefined ? icon : undefined}
      aria-label={iconOnly ? label : undefined}
      aria-disabled={Boolean(blocked)}
      title={tried ? [tip, 'Alt and click, or T: try it'].filter(Boolean).join('\n') : tip}
      onClick={({ altKey }) => (tried && altKey ? showTrial(tried) : void perform(action))}
      onKeyDown={(event) => {
        if (!tried || event.key !== 't' || event.ctrlKey || event.metaKey || event.altKey) return
        event.stopPropagation()
        showTrial(tried)
      }}
    >
      {children ?? (iconOnly ? undefined : label)}
    </Button>
  )
}
