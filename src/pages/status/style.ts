export const STATUS_STYLE = `
.status .state{display:flex;align-items:center;gap:12px;margin:16px 0 24px;padding:16px;background:var(--panel);border:1px solid var(--line);border-left:6px solid var(--accent);border-radius:8px;font-size:17px;font-weight:600;max-width:none}
.status .state.behind{border-left-color:var(--high)}
.status .light{flex:none;width:12px;height:12px;border-radius:50%;background:var(--accent)}
.status .behind .light{background:var(--high);border-radius:0}
.status dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,300px),1fr));gap:12px;margin:0 0 24px}
.status dl div{display:flex;flex-direction:column;padding:16px;background:var(--panel);border:1px solid var(--line);border-radius:8px}
.status dt{color:var(--quiet);font-size:13px}
.status dd{margin:4px 0 0;font-size:20px;font-weight:600;line-height:1.3}
.status dd small{display:block;color:var(--quiet);font-size:13px;font-weight:400}
`
