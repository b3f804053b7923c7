/** The pages of the console's own connections. */
import { createRoute } from '@tanstack/react-router'
import { Network } from 'lucide-react'
import { frame } from './frame.tsx'
import { page } from './page.ts'

const connectionsRoute = createRoute({
  getParentRoute: () => frame,
  path: '/connections',
  staticData: { title: 'Connections', nav: { group: 'Console', icon: Network, key: 'c' } },
})

const connectionsList = createRoute({
  getParentRoute: () => connectionsRoute,
  path: '/',
  ...page(() => import('../features/connections/ConnectionsPage.tsx')),
})

const connectionNew = createRoute({
  getParentRoute: () => connectionsRoute,
  path: 'new',
  staticData: { title: 'New connection', creates: {} },
  ...page(() => import('../features/connections/NewConnectionPage.tsx')),
})

const connectionEdit = createRoute({
  getParentRoute: () => connectionsRoute,
  path: '$connectionId/edit',
  staticData: { title: 'Edit connection' },
  ...page(() => import('../features/connections/EditConnectionPage.tsx')),
})

export const connectionRoutes = connectionsRoute.addChildren([connectionsList, connectionNew, connectionEdit])
