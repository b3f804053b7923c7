/** The first page, and the pages about all connections and about what changes on them. */
import { createRoute } from '@tanstack/react-router'
import { ArrowRightLeft, History, Layers, UserRoundCheck, House } from 'lucide-react'
import { pages } from '../paths/pages.ts'
import { connection, frame } from './frame.tsx'
import { below, page, validIds } from './page.ts'

export const homeRoute = createRoute({
  getParentRoute: () => frame,
  path: pages.home.url,
  staticData: { title: 'Home', nav: { group: 'Observe', icon: House, key: 'g' } },
  ...page('home'),
})

export const environmentsRoute = createRoute({
  getParentRoute: () => frame,
  path: pages.environments.url,
  staticData: {
    title: 'Environments',
    nav: { group: 'Changes', section: 'Environments', tab: 'Compare', icon: Layers, key: 'o' },
  },
  ...page('environments'),
})

export const historyRoute = createRoute({
  getParentRoute: () => connection,
  path: below('history', 'connectionHome'),
  staticData: { title: 'History', nav: { section: 'Environments', icon: History, key: 'h' } },
  ...page('history'),
})

export const promoteRoute = createRoute({
  getParentRoute: () => frame,
  path: pages.promote.url,
  staticData: { title: 'Promote', nav: { section: 'Environments', icon: ArrowRightLeft, key: 'm' } },
  ...page('promote'),
})

const changeRequestsFolder = createRoute({
  getParentRoute: () => frame,
  path: pages.changeRequests.url,
  staticData: {
    title: 'Approvals',
    nav: { group: 'Changes', icon: UserRoundCheck, key: 'x', countsWaiting: true },
  },
})

const changeRequestsList = createRoute({
  getParentRoute: () => changeRequestsFolder,
  path: '/',
  ...page('changeRequests'),
})

const changeRequestRoute = createRoute({
  getParentRoute: () => changeRequestsFolder,
  path: below('changeRequest', 'changeRequests'),
  params: { parse: (params) => validIds(params) },
  staticData: { title: 'Change request' },
  ...page('changeRequest'),
})

export const changeRequestRoutes = changeRequestsFolder.addChildren([changeRequestsList, changeRequestRoute])
