/** The page that lists the pages of Settings. */
import { createRoute } from '@tanstack/react-router'
import { Settings } from 'lucide-react'
import { pages } from '../paths/pages.ts'
import { frame } from './frame.tsx'
import { page } from './page.ts'

export const settingsRoute = createRoute({
  getParentRoute: () => frame,
  path: pages.settings.url,
  staticData: { title: 'Settings', nav: { group: 'Settings', icon: Settings, key: ',' } },
  ...page('settings'),
})
