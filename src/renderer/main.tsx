// First, so that the styles of every part come after them.
import './styles/tokens.css'
import './styles/base.css'

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { App } from './App.tsx'
import { connectDesktop } from './data/desktop.ts'
import { listenToHash } from './data/route.ts'
import { connect, findBridge } from './data/sandbox.ts'
import { readTheme } from './data/theme.ts'
import { listenToDrops } from './frame/drop.ts'

// Zod would try `new Function` to learn whether it may compile; the policy of this page forbids it, loudly.
z.config({ jitless: true })

// The key is taken out of the address before anything reads the address.
const bridge = findBridge()
readTheme()
listenToHash()
if (bridge) connect(bridge)
connectDesktop()
listenToDrops()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App keyed={bridge !== undefined} />
  </StrictMode>,
)
