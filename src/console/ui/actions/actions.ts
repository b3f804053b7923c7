import type { LucideIcon } from 'lucide-react'

/** Something that can be done to a row or a page, as data: menus, buttons and the palette draw it. */
export interface Action {
  label: string
  icon?: LucideIcon
  run: () => void
  /** Why it cannot be done now; it stays visible and says so. */
  disabled?: string | undefined
  danger?: boolean
}
