import { settleAddress, useAddress, type View } from '../data/route.ts'

type GoProps = Partial<View> &
  Pick<React.ComponentProps<'a'>, 'className' | 'title' | 'tabIndex' | 'children'> & { readonly likeliest?: boolean }

/** A link to another place of the window, in the same Program. What was selected a moment ago is in the address first. */
export function Go({ screen = null, collection = null, record = null, params = {}, likeliest, ...link }: GoProps) {
  return (
    <a
      onClick={settleAddress}
      href={useAddress({ screen, collection, record, params })}
      data-likeliest={likeliest ? '' : undefined}
      {...link}
    />
  )
}
