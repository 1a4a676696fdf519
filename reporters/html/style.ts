/** Colours: every pair of ink and ground keeps a contrast of 4.5 to 1 or more, in light and in dark. */
const colours = `
:root{color-scheme:light dark;--ground:#fff;--ink:#1c2126;--muted:#57606a;--rule:#d5dae0;--panel:#f6f7f8;--link:#0b4f94;--mark:#ffe58a;--mark-ink:#1c2126;
--pass:#0a6236;--pass-g:#e5f3ea;--fail:#a3121f;--fail-g:#fcebec;--inconclusive:#734700;--inconclusive-g:#fdf1d8;--untested:#4a535c;--untested-g:#eef0f2;--observed:#0b4f94;--observed-g:#e8f0f9;--conflict:#5a2b8c;--conflict-g:#f2ebfa}
@media (prefers-color-scheme:dark){:root{--ground:#14171a;--ink:#e4e7ea;--muted:#a5adb5;--rule:#343a41;--panel:#1b1f23;--link:#8fc0f3;--mark:#6b5200;--mark-ink:#fff3c4;
--pass:#7fd3a2;--pass-g:#12291d;--fail:#ff9d9d;--fail-g:#391618;--inconclusive:#f0c574;--inconclusive-g:#33270d;--untested:#b5bdc5;--untested-g:#252a2f;--observed:#8fc0f3;--observed-g:#12263a;--conflict:#cdb0f3;--conflict-g:#2a1d3c}}
.pass{--v:var(--pass);--g:var(--pass-g)}.fail{--v:var(--fail);--g:var(--fail-g)}.inconclusive{--v:var(--inconclusive);--g:var(--inconclusive-g)}.untested{--v:var(--untested);--g:var(--untested-g)}.observed{--v:var(--observed);--g:var(--observed-g)}.conflict{--v:var(--conflict);--g:var(--conflict-g)}
`;

const text = `
*{box-sizing:border-box}html{scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Liberation Sans",Arial,sans-serif;overflow-wrap:anywhere}
h1,h2,.word{font-family:Charter,"Bitstream Charter","Iowan Old Style","Palatino Linotype",Georgia,"Liberation Serif",serif;font-weight:600;line-height:1.2}
h1{font-size:2.1rem;margin:0 0 .3em;letter-spacing:-.01em}h2{font-size:1.35rem;margin:0 0 .8rem}h3{font-size:1rem;margin:1.8rem 0 .5rem}h4,.title{font:inherit;margin:0}
p,ul,ol,dl,figure{margin:0 0 .6rem}code,pre,a[href^="#x%3A"]{font-family:ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,"Liberation Mono",monospace;font-size:.86em}
a{color:var(--link);text-underline-offset:.15em;text-decoration-thickness:1px}a:hover{text-decoration-thickness:2px}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.meta,.see,.quiet,.tag span{color:var(--muted);font-size:.87rem}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--ground);padding:.5rem 1rem;z-index:2}
.paper{display:none}
pre{margin:0 0 .6rem;padding:.6rem .75rem;background:var(--panel);border:1px solid var(--rule);border-radius:3px;white-space:pre-wrap;line-height:1.45;unicode-bidi:isolate}
pre i{color:var(--muted)}mark{background:var(--mark);color:var(--mark-ink);outline:1px solid currentColor;border-radius:1px;font-weight:700}mark.broad{outline:0;font-weight:400}
summary{cursor:pointer}
.tag{font-size:.78rem;font-weight:600;margin:.6rem 0 .25rem}.tag span{font-weight:400}
.v{display:inline-block;color:var(--v);font-weight:600;font-size:.82rem;white-space:nowrap}
button,select{font:inherit;font-size:.87rem;color:var(--ink);background:var(--ground);border:1px solid var(--muted);border-radius:3px;padding:.2rem .5rem}
`;

const frame = `
.page{max-width:78rem;margin:0 auto;padding:.8rem 1.5rem 3rem;display:grid;grid-template-columns:minmax(0,1fr);gap:0 2.5rem}
.mast{border-top:4px solid var(--ink);padding-top:.6rem;margin-bottom:1rem}
.over{font-size:.87rem;color:var(--muted);margin:0}
.verdict{display:grid;grid-template-columns:auto minmax(0,1fr) auto;gap:0 1.2rem;background:var(--g);border:1px solid var(--v);border-left-width:6px;padding:.7rem 1.3rem;border-radius:2px}
.verdict .sign{font-size:2.2rem;line-height:1;color:var(--v);margin:.1rem 0 0;font-weight:700}.verdict .word{font-size:1.7rem;color:var(--v);margin:0}
.verdict .lead{font-weight:600;margin:.15rem 0 .3rem}.verdict ul{margin:0 0 .3rem;font-size:.93rem}.verdict .plain{padding:0;list-style:none}.verdict .plain li{margin:0 0 .15rem}.verdict .covers{margin:0;font-size:.9rem}
.mini{align-self:center;display:block;background:var(--ground);border-radius:2px;padding:.4rem .6rem .3rem;color:var(--ink);font-size:.72rem;line-height:1.3;text-decoration:none}.mini:hover span{text-decoration:underline}.mini svg{display:block;max-width:100%;margin-bottom:.25rem}.mini text{font-size:9px;fill:var(--ink)}.mini path{fill:var(--v)}.mini .untested{fill:none;stroke:var(--untested);stroke-opacity:.4;stroke-width:.6}.mini .observed{fill-opacity:.4}.mini .pass{fill-opacity:.75}.mini .cross{fill:none;stroke:var(--ground);stroke-width:1.4}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(15rem,100%),1fr));gap:.5rem 2rem;margin:0}.facts.broad{grid-template-columns:repeat(auto-fit,minmax(min(28rem,100%),1fr));margin-top:.5rem}.facts div{border-top:1px solid var(--rule);padding-top:.3rem}.facts dt{font-size:.78rem;color:var(--muted)}.facts dd{margin:0;font-size:.93rem}
.toc{font-size:.87rem;margin-bottom:1.5rem}.toc ol{list-style:none;margin:0;padding:0}.toc ol ol{padding-left:.8rem;border-left:1px solid var(--rule);margin:.2rem 0}.toc li{margin:.2rem 0}.toc a{color:inherit;text-decoration:none}.toc a:hover{text-decoration:underline}.failed{color:var(--fail);font-size:.8rem;display:inline-block;border:1px solid currentColor;border-radius:8px;padding:0 .4em;margin-left:.2em}
.part{padding:1.2rem 0;border-top:1px solid var(--rule)}main>.part:first-child{padding-top:.2rem;border-top:0}
.rows td:nth-child(2){width:34%}.rows td:nth-child(4){width:19%}.rows.ex td:nth-child(2){width:52%}.counts th,.counts td{padding:.3rem .4rem}.counts td,.counts thead th:not(:first-child){text-align:right;font-variant-numeric:tabular-nums}.counts td[class]{color:var(--v);font-weight:600}.counts thead .v{font-size:.76rem}.counts tfoot th,.counts tfoot td{border-bottom:0;font-weight:600}.scroll{position:relative;overflow-x:auto;min-width:0}.sec,.part{min-width:0}table{overflow-wrap:break-word;border-collapse:collapse;width:100%;font-size:.9rem}th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid var(--rule)}thead th{font-weight:600;font-size:.82rem;vertical-align:bottom}
.cause{border:1px solid var(--rule);border-left:4px solid var(--v);padding:0 .8rem .5rem;margin-bottom:.8rem;border-radius:2px}.cause[hidden]{display:none}.cause .what{margin:0 -.8rem .5rem;padding:.5rem .8rem;background:var(--g)}.cause .what .meta{color:var(--ink);font-weight:400}.explains>summary,.fold>summary,.long>summary{color:var(--link);font-size:.87rem;margin:.2rem 0}.explains ul{padding-top:.3rem}
.plain{padding-left:1.1rem}.plain li{margin-bottom:.4rem}.which{display:inline;font-size:.87rem}.which summary{display:inline;color:var(--link)}h3 .v{white-space:normal}
.conflict-item ol{list-style:none;padding:0}.conflict-item li{padding:.4rem .6rem;border-left:4px solid var(--rule);margin-bottom:.3rem}.conflict-item .followed{border-color:var(--conflict);background:var(--conflict-g)}
footer{border-top:1px solid var(--rule);padding-top:1rem;color:var(--muted);font-size:.87rem}
@media (min-width:72rem){.page{grid-template-columns:13rem minmax(0,1fr)}.mast,footer{grid-column:1/-1}.toc{position:sticky;top:1rem;align-self:start;max-height:calc(100vh - 2rem);overflow-y:auto}}
@media (max-width:72rem){.toc ol{display:flex;flex-wrap:wrap;gap:0 1.2rem}.toc ol ol{display:none}}
@media (max-width:40rem){.page{padding:1.2rem 1rem}h1{font-size:1.6rem;margin-bottom:.3em}.verdict{grid-template-columns:minmax(0,1fr);padding:.6rem .8rem}.verdict .sign{display:none}.verdict .word{font-size:1.4rem}.verdict .covers{font-size:.8rem}h2{font-size:1.15rem;margin-bottom:.5rem}.curl{padding:.4rem;font-size:.72rem}.mini{display:none}.toc{order:1}footer{order:2}#main{display:flex;flex-direction:column}#part-decisive{order:-2}#filters{order:-1}.counts thead .v{writing-mode:vertical-rl}.counts th,.counts td{padding:.25rem .3rem}}
`;

const trend = `
.trend{margin:.6rem 0 0;display:flex;flex-wrap:wrap;gap:.3rem 1rem;align-items:end}.trend svg{max-width:100%;flex:none}.trend path{fill:var(--v)}.strips{margin:.8rem 0}.strips svg{display:block;max-width:100%;height:auto}.strips path{fill:var(--v)}.strips .pass,.strips .untested{fill-opacity:.35}.strips text{font-size:10px;fill:var(--ink)}.trend .axis{fill:none;stroke:var(--muted)}.trend figcaption{margin:0;flex:1 1 12rem}
`;

const tables = `
.changes{table-layout:fixed;min-width:36rem;overflow-wrap:anywhere}.changes th:first-child{width:48%}.changes th:nth-child(2){width:5.4rem}.changes code{color:var(--muted)}.tone{color:var(--v);font-weight:600}
.across{table-layout:fixed;min-width:40rem}.across th:first-child{width:34%}.across th:nth-child(2){width:5.4rem}.across th[scope=row]{font-weight:400}.across code{color:var(--muted)}.across td[class]{background:var(--g);color:var(--v);font-weight:600}.columns{min-width:44rem}
@media (max-width:40rem){.changes{min-width:28rem}.across{min-width:34rem}.changes th:nth-child(2),.changes td:nth-child(2),.across th:nth-child(2),.across td:nth-child(2){display:none}.across th:first-child{width:10rem;position:sticky;left:0;z-index:1;background:var(--ground)}}
`;

const matrix = `
.key{font-size:.82rem;display:flex;flex-wrap:wrap;gap:.3rem .6rem}.chip{color:var(--v);background:var(--g);padding:.1rem .5rem;border-radius:2px}
.matrix{min-width:52rem;border-collapse:separate;border-spacing:2px}.matrix th,.matrix td{border:0;padding:.25rem .4rem}.matrix tbody th{vertical-align:middle}.matrix thead th{border-bottom:1px solid var(--rule)}.matrix .mode{font-weight:400}.matrix th{font-weight:600}.matrix .group{font-weight:400;overflow-wrap:normal}
.matrix .first th{border-top:1px solid var(--rule)}.matrix td.cell{padding:0;background:var(--g);height:1px}.box{display:block;height:100%;padding:.25rem .35rem;color:var(--v);text-decoration:none;line-height:1.25;border-radius:1px}a.box:hover{outline:1px solid currentColor}
.expect,.any{display:block;font-size:.74rem}.saw{display:block;font-size:.78rem;font-weight:600;white-space:nowrap}td.cell.fail .box{outline:2px solid var(--fail);outline-offset:-2px}td.cell.untested,td.cell.observed{font-weight:400}.matrix .blank{background:transparent}
@media (max-width:40rem){.matrix{min-width:0;table-layout:fixed;border-spacing:1px}.matrix th,.matrix td{padding:.1rem}.matrix thead tr:first-child th:not(:first-child,:nth-child(2)),.matrix .mode{writing-mode:vertical-rl;white-space:nowrap}.matrix th{font-size:.68rem;font-weight:400}.matrix thead tr:first-child th:first-child{width:27%}.matrix thead tr:first-child th:nth-child(2){width:20%}.matrix .group{white-space:normal}.expect,.any{display:none}.box{padding:.15rem;text-align:center}.saw{font-size:0}.saw span{font-size:.95rem}}
`;

const requirements = `
#filters{display:flex;flex-wrap:wrap;gap:.3rem .7rem;align-items:end;padding:.3rem .6rem .4rem;background:var(--panel);border:1px solid var(--rule);border-radius:3px}#filters[hidden]{display:none}#filters label{font-size:.75rem;display:grid;gap:.1rem}#filters select{width:6rem}#filters input{font:inherit;font-size:.87rem;color:var(--ink);background:var(--ground);border:1px solid var(--muted);border-radius:3px;padding:.2rem .4rem;width:9rem}#shown{font-size:.87rem;flex-basis:100%}#shown:empty{display:none}
.sec[hidden],.req[hidden]{display:none}.sec{border-bottom:1px solid var(--rule)}.sec>summary{padding:.35rem .2rem}.sec>summary:hover{background:var(--panel)}.sec>summary h3{display:inline;margin:0;font-weight:600}.sec>summary .meta{font-weight:400}.sec[open]>summary{border-bottom:2px solid var(--ink)}
.req{border-bottom:1px solid var(--rule)}.req>summary{display:grid;grid-template-columns:6.5rem minmax(0,5fr) minmax(0,3fr);gap:.2rem .6rem;align-items:baseline;padding:.32rem .2rem;list-style:none}.req>summary::-webkit-details-marker{display:none}.req>summary:hover{background:var(--panel)}
.req>summary .v::before{content:"▸";display:inline-block;width:1em;color:var(--muted);font-weight:400}.req[open]>summary .v::before{content:"▾"}
.req .meta{text-align:right}.req.fail>summary>:nth-child(2),.req.inconclusive>summary>:nth-child(2){font-weight:600}.req:target{outline:2px solid var(--link);outline-offset:2px}
.cause>.req{border-bottom:0;border-top:1px solid var(--rule)}.req.fail[open]>summary,.req.inconclusive[open]>summary{background:var(--g);padding:.4rem .2rem}
.body{padding:.5rem .2rem .6rem 1.2rem}
.finding+.finding{border-top:1px solid var(--rule);padding-top:.8rem;margin-top:.8rem}.case{font-weight:600;margin:0}.case>span{font-weight:400;color:var(--muted)}.message{margin:0 0 .4rem}
.against{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(18rem,100%),1fr));gap:.5rem;margin-bottom:.7rem}.against div{border:1px solid var(--rule);padding:.4rem .7rem;border-radius:3px}.against dt{font-size:.78rem;color:var(--muted)}.against dd{margin:0;unicode-bidi:isolate}.fail .against .came{border-color:var(--v)}
figcaption{font-size:.82rem;color:var(--muted);margin-bottom:.2rem}.copy{float:right;margin:.35rem .35rem 0 0;position:relative;font-size:.78rem}
.body>.plain,.cases{padding-left:0;list-style:none;margin:0}.body>.plain li,.cases li{padding:.1rem 0;margin:0;font-size:.9rem}
@media (max-width:50rem){.req>summary{grid-template-columns:minmax(0,1fr)}.req .meta{text-align:left}}
`;

const exchanges = `
.x{border-bottom:1px solid var(--rule);font-size:.9rem}.x>summary{padding:.3rem .2rem}.x>summary b{font-weight:600;float:right}.x>summary span{color:var(--muted)}.x[open]>summary{background:var(--panel)}.x:target{outline:2px solid var(--link)}.body .x{border:1px solid var(--rule);border-radius:3px;padding:0 .5rem;margin-bottom:.35rem}
.pair{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,3fr);gap:0 1rem}.line{margin:.5rem 0 0}@media (max-width:50rem){.pair{grid-template-columns:minmax(0,1fr)}.x>summary b{float:none;display:block}}.tries{padding-left:1.4rem}
.middle>summary{font-size:.82rem;color:var(--muted);padding:.1rem .6rem;background:var(--panel)}.middle+pre,.middle>pre{margin-top:0}
.steps svg{max-width:100%;height:auto;background:var(--panel)}.steps path{fill:none;stroke:var(--v);stroke-width:2}.steps .axis{stroke:var(--muted);stroke-width:1}.line svg{width:100%;height:34px;display:block}.line .axis{stroke:var(--muted);stroke-width:1;vector-effect:non-scaling-stroke}.line .head{stroke:var(--muted);stroke-width:1;stroke-dasharray:2 2;vector-effect:non-scaling-stroke}.line .chunks{vector-effect:non-scaling-stroke;stroke:var(--observed);stroke-width:2;fill:none}
`;

const print = `
@page{size:A4;margin:16mm 15mm 18mm;@bottom-left{content:"Conformance report";font:8pt sans-serif;color:#57606a}@bottom-right{content:counter(page) " / " counter(pages);font:8pt sans-serif;color:#57606a}}
@media print{:root{color-scheme:light;--ground:#fff;--ink:#111;--muted:#4a535c;--rule:#c5cbd1;--panel:#f6f7f8;--link:#111;--mark:#ffe58a;--mark-ink:#111;--pass:#0a6236;--pass-g:#e5f3ea;--fail:#a3121f;--fail-g:#fcebec;--inconclusive:#734700;--inconclusive-g:#fdf1d8;--untested:#4a535c;--untested-g:#eef0f2;--observed:#0b4f94;--observed-g:#e8f0f9;--conflict:#5a2b8c;--conflict-g:#f2ebfa}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}html{font-size:9.5pt}body{font-size:1rem}h1{font-size:2rem}th,td{padding:.25rem .4rem}.facts,.facts.broad{grid-template-columns:1fr 1fr;gap:.35rem 1.5rem}.rows td:nth-child(2){width:40%}p,li,pre{orphans:3;widows:3}.page{display:block;max-width:none;padding:0}.toc,#filters,.skip,.copy,.exchanges,.x,.long,.body>.see,.body>.tag,.body>.plain,.req.fail .finding:not(.fail){display:none!important}.req.fail::details-content{content-visibility:visible;display:block;height:auto}.paper{display:block}
a{text-decoration:none}.scroll{overflow:visible}.matrix{min-width:0;font-size:.78rem;table-layout:fixed;border-spacing:1px}.matrix .family{padding-left:0}.matrix thead tr:first-child th:first-child{width:14.5%;padding-left:0}.matrix td.cell{height:auto}.expect,.any{font-size:.68rem}.expect,.saw{white-space:nowrap;letter-spacing:-.01em}.saw{font-size:.7rem}.matrix thead th{font-size:.7rem;overflow-wrap:normal}.box{padding:.15rem .25rem}.matrix .group{white-space:normal}
.part{padding:1rem 0 .6rem}h2,h3,summary,.case,.message,.against,.tag,figcaption{break-after:avoid}.conflict-item,.against div,.curl,tr,.verdict,.sec>h3,.facts div,#part-matrix,#part-counts{break-inside:avoid}thead{break-after:avoid}.req:not([open]){break-inside:avoid}.req>summary{grid-template-columns:6.6rem minmax(0,1fr);gap:0 .6rem;padding:.15rem 0}.req>summary .meta{grid-column:2;text-align:left;font-size:.78rem}.req>summary .v::before{display:none}.finding>.see{break-before:avoid}pre{white-space:pre-wrap;font-size:.8rem}}
`;

/** The style sheet of the document, screen and paper. */
export const style = [colours, text, frame, trend, tables, matrix, requirements, exchanges, print].join('');
