/** The pages of the people who use the console, of the own account, and of agents. */
import { createRoute } from '@tanstack/react-router'
import { Bot, UserRound, Users } from 'lucide-react'
import { pages } from '../paths/pages.ts'
import { frame } from './frame.tsx'
import { page } from './page.ts'

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
