const onMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The modifier key of shortcuts, as the keyboard labels it. */
export const modKey = onMac ? '⌘' : 'Ctrl'
