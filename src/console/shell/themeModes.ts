import { Monitor, Moon, Sun } from 'lucide-react'

export const themeModes = [
  { mode: 'light', label: 'Light', Icon: Sun },
  { mode: 'dark', label: 'Dark', Icon: Moon },
  { mode: 'system', label: 'System', Icon: Monitor },
] as const
