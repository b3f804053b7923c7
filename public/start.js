// Before the page's own code, and therefore a file of its own: no inline script is allowed.
;(function () {
  // The theme that was chosen, so that a dark page never flashes white; and how wide the navigation is.
  var mode = 'system'
  var folded = false
  try {
    mode = localStorage.getItem('stack-console.theme') || mode
    folded = JSON.parse(localStorage.getItem('stack-console.settings') || '{}').navFolded === true
  } catch {
    // A browser that keeps nothing follows the system.
  }
  var dark = mode === 'dark' || (mode === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  var html = document.documentElement
  html.setAttribute('data-theme', dark ? 'dark' : 'light')
  html.style.colorScheme = dark ? 'dark' : 'light'
  html.style.backgroundColor = dark ? '#111216' : '#f7f7f8'
  if (folded) html.setAttribute('data-folded', '')

  // Without the page's own code nobody else could say that it did not come.
  addEventListener(
    'error',
    function (event) {
      var root = document.getElementById('root')
      if (!root || !(event.target instanceof HTMLScriptElement)) return
      root.setAttribute('role', 'alert')
      root.style.cssText =
        'padding:48px;text-align:center;font:13px system-ui,sans-serif;color:' + (dark ? '#ecedf1' : '#1c1d22')
      root.textContent = 'The console could not be loaded: its server does not answer. Reload to try again.'
    },
    true,
  )
})()
