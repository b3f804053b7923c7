/** The page of a shared link, for people without an account. */
import { createRoute } from '@tanstack/react-router'
import { pages } from '../paths/pages.ts'
import { root } from './frame.tsx'
import { page } from './page.ts'

export const sharedRoute = createRoute({ getParentRoute: () => root, path: pages.shared.url, ...page('shared') })
