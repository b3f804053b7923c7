/** The first page, over all connections. */
import { createRoute } from '@tanstack/react-router'
import { House } from 'lucide-react'
import { pages } from '../paths/pages.ts'
import { frame } from './frame.tsx'
import { page } from './page.ts'

export const homeRoute = createRoute({
  getParentRoute: () => frame,
  path: pages.home.url,
  staticData: { title: 'Home', nav: { group: 'Observe', icon: House, key: 'g' } },
  ...page('home'),
})
