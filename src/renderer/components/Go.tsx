import { useAddress, type View } from '../stores/view.ts'

type GoProps = Pick<View, 'screen'> &
  Partial<View> &
  Pick<React.ComponentProps<'a'>, 'className' | 'title' | 'children'>

/** A link to another place of the window, in the same Program. */
export function Go({ screen, record = null, params = {}, ...link }: GoProps) {
  return <a href={useAddress({ screen, record, params })} {...link} />
}
