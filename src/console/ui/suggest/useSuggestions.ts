import { type KeyboardEvent, useState } from 'react'

interface SuggestionsOptions {
  /** The ID of the input. */
  id: string
  typed: string
  /** None while the list is closed. */
  options: readonly string[]
  onChoose: (option: string) => void
  /** ArrowDown or ArrowUp, while the list is closed. */
  onOpen?: () => void
  onClose: () => void
}

/** Suggestions that are listed. More cannot be looked through, and a hundred thousand would freeze the page. */
const maxListed = 200

/** Options that Page Up and Page Down pass. */
const page = 5

/** The list of suggestions under an input: the active option, the keys, and what the input says about it. */
export function useSuggestions({ id, typed, options: all, onChoose, onOpen, onClose }: SuggestionsOptions) {
  const options = all.slice(0, maxListed)
  const [moved, setMoved] = useState<{ typed: string; option: string } | null>(null)
  // None is active until an arrow key or the pointer moves to it: Enter uses the typed text.
  const at = moved?.typed === typed ? options.indexOf(moved.option) : -1
  const active = options[at]
  const open = options.length > 0
  const activate = (option: string) => setMoved({ typed, option })
  const close = () => {
    setMoved(null)
    onClose()
  }
  const choose = (option: string) => {
    setMoved(null)
    onChoose(option)
  }

  /** Whether the key was for the list. */
  const press = (event: KeyboardEvent): boolean => {
    // It belongs to the input method.
    if (event.nativeEvent.isComposing) return true
    const next = open ? nextIndex(event.key, at, options.length) : null
    if (next !== null) activate(options[next] ?? '')
    else if (open && event.key === 'Escape') close()
    else if (active !== undefined && event.key === 'Enter' && !event.ctrlKey && !event.metaKey) choose(active)
    else if (!open && onOpen && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) onOpen()
    else return false
    event.preventDefault()
    // Escape closes the list and not the dialog around it.
    event.stopPropagation()
    return true
  }

  return {
    press,
    close,
    list: { id, options, total: all.length, active, onActivate: activate, onChoose: choose },
    /** Attributes of the input. */
    input: {
      role: 'combobox',
      autoComplete: 'off',
      autoCapitalize: 'none',
      spellCheck: false,
      'aria-autocomplete': 'list',
      'aria-expanded': open,
      'aria-controls': open ? `${id}-list` : undefined,
      'aria-activedescendant': active === undefined ? undefined : optionId(id, at),
    } as const,
  }
}

export const optionId = (id: string, index: number) => `${id}-option-${index}`

/** The option that a key moves to; null for other keys. The arrow keys wrap around. */
function nextIndex(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count
    case 'ArrowUp':
      return at <= 0 ? count - 1 : at - 1
    case 'PageDown':
      return Math.min(at + page, count - 1)
    case 'PageUp':
      return Math.max(at - page, 0)
    default:
      return null
  }
}
