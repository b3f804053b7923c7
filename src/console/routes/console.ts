/**
 * The pages about this console: its connections, the people who use it and the own account, agents, sessions, the audit
 * log, and the list of Settings.
 */
import { createRoute } from '@tanstack/react-router'
import { Network, Bot, UserRound, Users, FileClock, MonitorSmartphone, Settings } from 'lucide-react'
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

export const peopleRoute = createRoute({
  getParentRoute: () => frame,
  path: pages.people.url,
  staticData: { title: 'People', nav: { group: 'This console', icon: Users, audience: 'administrators' } },
  ...page('people'),
})

export const accountRoute = createRoute({
  getParentRoute: () => frame,
  path: pages.account.url,
  staticData: { title: 'My account', nav: { group: 'This console', icon: UserRound, audience: 'others' } },
  ...page('account'),
})

export const agentsRoute = createRoute({
  getParentRoute: () => frame,
  path: pages.agents.url,
  staticData: { title: 'Agents', nav: { group: 'This console', icon: Bot } },
  ...page('agents'),
})

export const sessionsRoute = createRoute({
  getParentRoute: () => frame,
  path: pages.sessions.url,
  staticData: { title: 'Sessions', nav: { group: 'This console', icon: MonitorSmartphone } },
  ...page('sessions'),
})

export const auditRoute = createRoute({
  getParentRoute: () => frame,
  path: pages.audit.url,
  staticData: { title: 'Audit', nav: { group: 'This console', section: 'Audit', tab: 'Console', icon: FileClock } },
  ...page('audit'),
})

export const settingsRoute = createRoute({
  getParentRoute: () => frame,
  path: pages.settings.url,
  staticData: { title: 'Settings', nav: { group: 'Settings', icon: Settings, key: ',' } },
  ...page('settings'),
})
