import { Button } from '../ui/Button.tsx'
import { type Action, perform } from './action.ts'

interface ActionButtonProps extends Omit<React.ComponentProps<typeof Button>, 'title' | 'onClick'> {
  readonly action: Action
}

/** The button of an action. While it is blocked, the tooltip says why. `children` take the place of icon and label. */
export function ActionButton({ action, children, iconOnly, ...button }: ActionButtonProps) {
  const { icon, title, label = title, blocked, detail } = action
  return (
    <Button
      {...button}
      icon={children === undefined ? icon : undefined}
      aria-label={iconOnly ? label : undefined}
      aria-disabled={Boolean(blocked)}
      title={blocked ?? (iconOnly ? label : detail)}
      onClick={() => void perform(action)}
    >
      {children ?? (iconOnly ? undefined : label)}
    </Button>
  )
}
