import type { LucideIcon } from 'lucide-react'

/** Something that can be done to a row or a page, as data: menus, buttons and the palette draw it. */
export interface Action {
  label: string
  icon?: LucideIcon
  run: () => void
  /** Why the action is not available; it stays visible with this reason. */
  disabled?: string | undefined
  danger?: boolean
  /** A single key that does it, where its target has the focus. */
  key?: string
  /** It begins a group of its own: a line is drawn above it. */
  startsGroup?: true
}

/** An item under a button with a menu. */
export interface MenuChoice {
  /** Tells apart those that may have the same label. */
  id?: string
  icon: LucideIcon
  label: string
  /** Its effect, in a few words under it. */
  detail: string
  run: () => unknown
  /** Why it cannot be chosen. */
  disabled?: string | undefined
}
