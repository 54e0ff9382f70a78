import { z } from 'zod'

/** Methods that only the desktop app has. A browser cannot call them. */

const nothing = z.strictObject({})

/** What the user chooses for the app. */
export const DesktopChoices = z.strictObject({
  look_for_updates: z.boolean().meta({ description: 'Read once a day whether there is a newer version' }),
  keep_serving: z.boolean().meta({ description: 'The API goes on when the last window is closed' }),
  notify: z.boolean().meta({ description: 'The system shows notifications while no window has the focus' }),
})

export type DesktopChoices = z.infer<typeof DesktopChoices>

export const DesktopState = z.object({
  ...DesktopChoices.shape,
  releases: z
    .string()
    .nullable()
    .meta({ description: 'The page of releases; a build without one looks for no updates' }),
  newest_version: z.string().nullable().meta({ description: 'The newer version that was found' }),
  data: z.string().nullable().meta({ description: 'The data folder; null for a world in memory' }),
  port: z.int(),
  instead_of: z
    .object({ port: z.int(), why: z.string() })
    .nullable()
    .meta({ description: 'The requested port that could not be used, since the app was started' }),
  recent: z.array(z.string()).meta({ description: 'Data folders that were open before, newest first' }),
  command: z.string().meta({ description: 'The command that runs the same in a terminal, without a window' }),
})
export type DesktopState = z.infer<typeof DesktopState>

/** A screen that the menu opens. */
export const MenuPlace = z.strictObject({
  name: z.string().min(1).max(100),
  address: z.string().startsWith('#/').max(1_000),
  keys: z
    .string()
    .max(20)
    .meta({ description: 'Keys of the window', examples: ['g r'] }),
})
export type MenuPlace = z.infer<typeof MenuPlace>

export const FoundInPage = z.object({
  matches: z.int().meta({ description: 'All matches, with the one in the text field of the search' }),
  active: z.int().meta({ description: 'The position of the highlighted match, from 1; 0 without a match' }),
})
export type FoundInPage = z.infer<typeof FoundInPage>

export const ContextMenuItem = z.strictObject({
  label: z.string().min(1).max(300),
  keys: z
    .enum(['Enter', 'CmdOrCtrl+C', 'Alt+Left', 'Alt+Right'])
    .optional()
    .meta({ description: 'The shortcut of the window that does the same; it is only shown' }),
})
export type ContextMenuItem = z.infer<typeof ContextMenuItem>

export const desktopMethods = {
  'desk.read': { input: nothing, output: DesktopState },
  'desk.choose': { input: DesktopChoices.partial(), output: DesktopState },
  'desk.open_releases': { input: nothing, output: nothing },
  'desk.listen': { input: z.strictObject({ port: z.int().min(1).max(65_535) }), output: DesktopState },
  'desk.open_world': {
    input: z.strictObject({
      folder: z
        .string()
        .min(1)
        .optional()
        .meta({ description: 'One of `recent`. Without it, a dialog asks for the folder' }),
    }),
    output: DesktopState,
  },
  'desk.new_world': {
    input: z.strictObject({ world: z.enum(['demo', 'empty']).meta({ description: 'A dialog asks for the folder' }) }),
    output: DesktopState,
  },
  'desk.show_folder': { input: nothing, output: z.object({ shown: z.boolean() }) },
  'desk.save_file': {
    input: z.strictObject({
      name: z.string().min(1).max(255).meta({ description: 'The name that the dialog offers' }),
      text: z.string(),
    }),
    output: z.object({
      saved: z.boolean().meta({ description: 'False if the user canceled, or the app has said why it failed' }),
    }),
  },
  'desk.menu': { input: z.strictObject({ places: z.array(MenuPlace).max(100) }), output: nothing },
  'desk.find': {
    input: z.strictObject({
      text: z.string().min(1).max(1_000),
      forward: z.boolean(),
      is_first: z.boolean().meta({ description: 'False for the next or previous match of the same text' }),
    }),
    output: FoundInPage.nullable().meta({ description: 'null if another search began before this one ended' }),
  },
  'desk.stop_find': { input: nothing, output: nothing },
  'desk.context_menu': {
    input: z.strictObject({
      items: z.array(ContextMenuItem.nullable()).min(1).max(50).meta({ description: 'null is a line between items' }),
      at: z
        .strictObject({ x: z.number().min(0).max(100_000), y: z.number().min(0).max(100_000) })
        .nullable()
        .meta({ description: 'In pixels of the page; null: at the pointer' }),
    }),
    output: z.object({ chosen: z.int().nullable().meta({ description: 'The position of the item that was clicked' }) }),
  },
} as const satisfies Readonly<Record<string, { readonly input: z.ZodType; readonly output: z.ZodType }>>

export type DesktopMethods = typeof desktopMethods
export type DesktopMethodName = keyof DesktopMethods

export const DesktopNotice = z.discriminatedUnion('type', [
  z.object({ type: z.literal('go'), address: z.string() }).meta({
    description: 'The menu, a notification or an opened file navigates to an address',
  }),
  z.object({ type: z.literal('find') }).meta({ description: 'The menu opens the find bar' }),
])
export type DesktopNotice = z.infer<typeof DesktopNotice>

export type DesktopReply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: string }

export interface DesktopBridge {
  call(name: string, input: unknown): Promise<DesktopReply>
  subscribe(listener: (notice: DesktopNotice) => void): () => void
}
