import type { LucideIcon } from 'lucide-react'

/** Something that can be done to a row or a page, as data: menus, buttons and the palette draw it. */
export interface Action {
  label: string
  icon?: LucideIcon
  run: () => void
  /** Why the action is not available; it stays visible with this reason. */
  disabled?: string | undefined
  danger?: boolean
}
