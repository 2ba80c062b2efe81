/** Inline style sheet of the HTML report. */
export const reportStyle = `
:root{--ground:#f4f5f8;--card:#fff;--text:#1b2028;--quiet:#566070;--edge:#dfe3e9;--accent:#0b5cad;--good:#1d6b3a;--bad:#b3261e;--bad-tint:#fdf0ee;--doubt:#7a5200;color-scheme:light dark}
@media (prefers-color-scheme:dark){:root{--ground:#0f1318;--card:#191f27;--text:#e9edf2;--quiet:#a6b1be;--edge:#2f3843;--accent:#82b8f2;--good:#8fd6a8;--bad:#ffa79e;--bad-tint:#2e1d1d;--doubt:#e8c46a}}
*{box-sizing:border-box}
body{margin:0;font:100%/1.5 system-ui,"Segoe UI",Roboto,Arial,sans-serif;color:var(--text);background:var(--ground)}
main{max-width:80rem;margin:auto;padding:1.5rem}
h1,h2,h3,h4{overflow-wrap:anywhere;line-height:1.25;margin:1.5rem 0 .5rem}h1{margin-top:0}
code{font:.875em ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}
a{color:var(--accent)}:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.quiet{color:var(--quiet)}.scroll{overflow-x:auto}
table{border-collapse:collapse;background:var(--card);border:1px solid var(--edge)}.scroll>table{width:100%}
caption{text-align:start;color:var(--quiet);padding-bottom:.25rem}
th,td{padding:.375rem .75rem;text-align:start;vertical-align:top;border-bottom:1px solid var(--edge)}
thead th{color:var(--quiet);font-size:.875rem}tbody th{font-weight:400}
.totals td,.time,.count{text-align:end;font-variant-numeric:tabular-nums;white-space:nowrap}
.passed .status{color:var(--good)}.failed .status{color:var(--bad);font-weight:600}.skipped .status{color:var(--doubt)}
.count.none{color:var(--bad)}
.group th{padding-top:1.25rem;font-weight:600;background:var(--ground)}
.scenarios tr:first-child td{border-bottom:0;padding-bottom:0}.scenarios td:first-child{overflow-wrap:anywhere}
.filmstrip{display:flex;flex-wrap:wrap;align-items:flex-start;gap:.5rem;margin:0;padding:0;list-style:none;font-size:.8125rem}
.filmstrip li{padding:.375rem .5rem;border:1px solid var(--edge);border-radius:6px;color:var(--quiet);max-width:100%}
.filmstrip b{color:var(--text);font-weight:600}.filmstrip i{font-style:normal}.filmstrip small{display:block;font-size:.75rem}
.filmstrip .failed,.filmstrip .failed b{color:var(--bad);border-color:currentcolor}.filmstrip .not-run{color:var(--quiet);border-style:dashed}
.filmstrip span{display:flex;flex-wrap:wrap;gap:.25rem;margin-bottom:.25rem}.filmstrip svg{width:5.625rem;height:3.65625rem;display:block}
.filmstrip .sign{width:2rem;padding:.125rem}.filmstrip img{display:block;max-width:100%;max-height:12rem;margin-bottom:.25rem;border:1px solid var(--edge);border-radius:4px}
article .filmstrip svg{width:8.25rem;height:5.3625rem}article .filmstrip .sign{width:2.5rem}
@media (max-width:40rem){article .filmstrip svg:not(.sign){width:7rem;height:4.55rem}}
article{padding:.25rem 1rem 1rem;margin-bottom:1rem;background:var(--card);border:1px solid var(--edge);border-inline-start:4px solid var(--bad);border-radius:8px}
article table{width:100%}.command{display:inline-block;padding:.125rem .5rem;background:var(--ground);border-radius:4px}
.trace .stopped{background:var(--bad-tint)}.trace .not-applicable{color:var(--quiet)}
.filter{display:flex;flex-wrap:wrap;gap:1rem;align-items:center;margin-bottom:.75rem}.filter[hidden]{display:none}
input,select{font:inherit;min-height:2.25rem;padding:.25rem .75rem;color:inherit;background:var(--card);border:1px solid var(--quiet);border-radius:6px}
summary{cursor:pointer;padding:.25rem 0}
`;

/** Inline script of the HTML report, which searches the scenarios. Without scripts all scenarios are shown. */
export const reportScript = `
const form=document.querySelector('.filter'),rows=[...document.querySelectorAll('.scenarios tbody:not(.group)')],groups=[...document.querySelectorAll('.scenarios .group')];
form.hidden=false;
function find(){const {text,status}=form.elements,words=text.value.trim().toLowerCase();let shown=0;
for(const row of rows){row.hidden=!(row.dataset.words.includes(words)&&(status.value===''||row.className===status.value));if(!row.hidden)shown+=1;}
for(const group of groups){let next=group.nextElementSibling,any=false;while(next&&next.className!=='group'){any=any||!next.hidden;next=next.nextElementSibling;}group.hidden=!any;}
form.querySelector('output').textContent=shown+' of '+rows.length;}
form.addEventListener('input',find);form.addEventListener('submit',(event)=>event.preventDefault());find();
`;
