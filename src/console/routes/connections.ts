/** The pages of the console's own connections. */
import { createRoute } from '@tanstack/react-router'
import { Network } from 'lucide-react'
import { pages } from '../paths/pages.ts'
import { frame } from './frame.tsx'
import { below, page, validIds } from './page.ts'

const connectionsRoute = createRoute({
  getParentRoute: () => frame,
  path: pages.connections.url,
  staticData: { title: 'Connections', nav: { group: 'This console', icon: Network, key: 'c' } },
})

const connectionsList = createRoute({
  getParentRoute: () => connectionsRoute,
  path: '/',
  ...page('connections'),
})

const connectionNew = createRoute({
  getParentRoute: () => connectionsRoute,
  path: below('newConnection', 'connections'),
  staticData: { title: 'New connection', creates: {} },
  ...page('newConnection'),
})

const connectionEdit = createRoute({
  getParentRoute: () => connectionsRoute,
  path: below('editConnection', 'connections'),
  params: { parse: (params) => validIds(params) },
  staticData: { title: 'Edit connection' },
  ...page('editConnection'),
})

const connectionApproval = createRoute({
  getParentRoute: () => connectionsRoute,
  path: below('connectionApproval', 'connections'),
  params: { parse: (params) => validIds(params) },
  staticData: { title: 'Approval' },
  ...page('connectionApproval'),
})

export const connectionRoutes = connectionsRoute.addChildren([
  connectionsList,
  connectionNew,
  connectionEdit,
  connectionApproval,
])
