// Before the first paint: the theme that was chosen, so that a dark page never flashes white. No inline script is allowed.
;(function () {
  var mode = 'system'
  try {
    mode = localStorage.getItem('stack-console.theme') || mode
  } catch {
    // A browser that keeps nothing follows the system.
  }
  var dark = mode === 'dark' || (mode === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-theme', dark ? 'dark' : 'light')
  document.documentElement.style.colorScheme = dark ? 'dark' : 'light'
  document.documentElement.style.backgroundColor = dark ? '#111216' : '#f7f7f8'
})()
