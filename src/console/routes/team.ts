/** The pages of a deployment's team and keys, and of what it stores. */
import { createRoute } from '@tanstack/react-router'
import { HardDrive, KeyRound, Users } from 'lucide-react'
import { connection } from './frame.tsx'
import { below, page } from './page.ts'

const needs = { resource: 'team', variants: ['openSource'] } as const

const team = createRoute({
  getParentRoute: () => connection,
  path: below('team', 'connectionHome'),
  staticData: { title: 'Team', nav: { group: 'Access', icon: Users, needs } },
  ...page('team'),
})

const teamKeys = createRoute({
  getParentRoute: () => connection,
  path: below('teamKeys', 'connectionHome'),
  staticData: { title: 'Team keys', nav: { group: 'Access', icon: KeyRound, needs } },
  ...page('teamKeys'),
})

const storage = createRoute({
  getParentRoute: () => connection,
  path: below('storage', 'connectionHome'),
  staticData: {
    title: 'Storage',
    nav: { group: 'Telemetry', icon: HardDrive, needs: { resource: 'storage', variants: ['openSource'] } },
  },
  ...page('storage'),
})

export const teamRoutes = [team, teamKeys, storage] as const
