// Built from page/src by npm run build: change it there.
"use strict";(()=>{var parse=id=>JSON.parse(document.getElementById(id).textContent);var data=parse("data");var several=data.
systems.length>1;var groupings=Object.keys(data.grouped);var OF_TEXTS=["mention","other","distance",
"head"];var shownGroupings=groupings.filter(by=>!data.records||!OF_TEXTS.includes(by));var shownKinds=[
...data.kinds.keys()].filter(kind=>!data.records||data.kinds[kind]!=="span");var metricTitles=data.metrics.
map(([,title])=>title);var OF_RECORDS={key:"truth",response:"prediction",responses:"predictions",mention:"\
record",mentions:"records",entity:"cluster",entities:"clusters"};function worded(text){if(!data.records)
return text;const words=new RegExp(`\\b(${Object.keys(OF_RECORDS).join("|")})\\b`,"gi");const translate=word=>{
const other=OF_RECORDS[word.toLowerCase()];return/^[A-Z]/.test(word)?other[0].toUpperCase()+other.slice(
1):other};return text.replace(words,translate).replace(/\ban cluster/g,"a cluster")}var kindName=kind=>worded(
data.kinds[kind]);var readBlock=number=>parse(`document-${number}`);var titleOf=number=>data.documents[number].
name||"(no name)";var GROUPING=data.records?"size":"mention";var place={};var here=location.hash;var currentAddress=()=>here;
var documentNames=data.documents.map(one=>one.name);var metricNames=data.metrics.map(([name])=>name);
function indexOf(names,name,other){const found=name===null?-1:names.indexOf(name);return found<0?other:
found}function readAddress(){const given=new URLSearchParams(here.slice(1));const name=given.get("do\
cument");place.document=indexOf(documentNames,name,null);place.missing=place.document===null?name:null;
place.view=place.document!==null?"document":given.get("view")==="errors"?"errors":"overview";place.system=
indexOf(data.systems,given.get("system"),0);place.second=indexOf(data.systems,given.get("second"),null);
if(place.second===place.system)place.second=null;readFilters(given)}function readFilters(given){const[
error,show2,by]=["error","show","by"].map(name=>given.get(name)??"");place.error=/^\d+$/.test(error)?
Number(error):null;place.show=show2==="key"||show2==="response"?show2:"both";place.metric=indexOf(metricNames,
given.get("metric"),data.headline);place.kind=indexOf(data.kinds,given.get("kind"),null);place.by=shownGroupings.
includes(by)?by:GROUPING;place.label=given.get("label")??"";const hidden=(given.get("hide")??"").split(
",");place.hide=[...data.kinds.keys()].filter(kind=>hidden.includes(data.codes[kind]));place.only=given.
has("only")&&place.second!==null}function addressOf(change={}){const to={...place,...change};const second=to.
second===to.system?null:to.second;const parts=[["by",to.by===GROUPING?null:to.by],["system",several?
data.systems[to.system]:null],["second",second===null?null:data.systems[second]]];if(to.document!==null){
parts.unshift(["document",documentNames[to.document]]);parts.push(["show",to.show==="both"?null:to.show],
["hide",to.hide.map(kind=>data.codes[kind]).join(",")||null],["only",to.only&&to.second!==null?"":null],
["error",to.error])}else if(to.view==="errors"){parts.unshift(["view","errors"],["kind",to.kind===null?
null:data.kinds[to.kind]],["label",to.label||null])}parts.push(["metric",to.metric===data.headline?null:
metricNames[to.metric]]);const given=parts.filter(([,value])=>value!==null).map(([name,value])=>[name,
String(value)]);return`#${new URLSearchParams(given)}`}var leave;var arrive;function onMove(listeners){
({leave,arrive}=listeners)}function go(change){follow(addressOf(change))}function follow(to){leave();
if(to!==here){here=to;writeHistory(()=>history.pushState(null,"",to))}arrive()}function stay(change){
Object.assign(place,change);here=addressOf();writeHistory(()=>history.replaceState(null,"",here))}function writeHistory(write){
try{write()}catch{}}function followBrowser(){if(here===location.hash)return;here=location.hash;arrive()}var COLOURS=8;var CACHED=400;var contents=new Map;function contentOf(number){let content=contents.get(
number);if(!content){content=readContent(number);if(contents.size>CACHED)contents.clear();contents.set(
number,content)}return content}function readContent(number){const block=readBlock(number);const key=readSide(
block.key);let coloured=0;key.labels=key.ids.map((_,entity)=>String(entity+1));key.colours=key.members.
map(members=>members.length>1?String(coloured++%COLOURS):"N");const responses=block.responses.map(one=>readResponse(
one,key));return{words:block.words,starts:block.starts,glued:new Set(block.glued),key,responses}}function readResponse(block,key){
const colours=block.main.map(entity=>entity<0?"N":key.colours[entity]);return{...readSide(block),labels:block.
labels,colours,errors:block.errors}}function readSide({mentions,ids,pieces={}}){const members=ids.map(
()=>[]);const side={first:[],last:[],entity:[],pieces,ids,labels:[],colours:[],members};let first=0;
for(let at=0;at<mentions.length;at+=3){const[distance,length,entity]=mentions.slice(at,at+3);first+=
distance;members[entity].push(side.first.length);side.first.push(first);side.last.push(first+length);
side.entity.push(entity)}return side}var piecesOf=(side,mention)=>side.pieces[mention]??[[side.first[mention],
side.last[mention]]];function coverWords(side,words){const length=mention=>side.last[mention]-side.first[mention];
const longestFirst=[...side.first.keys()].sort((a,b)=>length(b)-length(a));const covered=new Int32Array(
words).fill(-1);for(const mention of longestFirst){for(const[first,last]of piecesOf(side,mention))covered.
fill(mention,first,last+1)}return covered}var spaceBefore=(content,word)=>content.glued.has(word)?"":
" ";function joinWords(content,first,last){let text=content.words[first];for(let word=first+1;word<=
last;word++)text+=spaceBefore(content,word)+content.words[word];return text}var textOf=(content,side,mention)=>piecesOf(
side,mention).map(([first,last])=>joinWords(content,first,last)).join(" … ");var quote=(content,side,mention)=>`\
“${textOf(content,side,mention)}”`;function sentenceOf(content,word){let low=0;let high=content.
starts.length-1;while(low<high){const middle=low+high+1>>1;if(content.starts[middle]<=word)low=middle;else
high=middle-1}return low}var endOf=(content,sentence)=>content.starts[sentence+1]??content.words.length;function byId(id){return document.getElementById(id)}function make(tag,properties={},...children){const element=document.
createElement(tag);for(const[name,value]of Object.entries(properties))setProperty(element,name,value);
element.append(...children.filter(child=>child!==null));return element}function setProperty(element,name,value){
if(value===void 0||value===null||value===false)return;if(typeof value==="function")element.addEventListener(
name.slice(2),value);else if(name==="style")element.style.cssText=String(value);else element.setAttribute(
name,value===true?"":String(value))}function makeSelect(label,id,options,chosen,choose2){const select=make(
"select",{id,onchange:()=>choose2(select.selectedIndex)},...options.map((text,number)=>make("option",
{selected:number===chosen},text)));return make("label",{class:"pick",for:id},`${label} `,select)}function makeSearch(label,id,value,search,properties={}){
const field=make("input",{type:"search",id,value,oninput:()=>search(field.value),...properties});return make(
"label",{class:"pick"},`${label} `,field)}var makeSection=(id,title,...children)=>make("section",{id},
make("h2",{},...title),...children);var makeControls=(...children)=>make("div",{class:"bar-controls"},
...children);function redraw(section){const active=document.activeElement?.id;byId(section.id).replaceWith(
section);if(active&&active!=="main")document.getElementById(active)?.focus()}var breakable=name=>name.
split(/(?<=[_/.-])/).flatMap(part2=>[part2,make("wbr")]).slice(0,-1);function announce(text){byId("a\
nnouncement").textContent=text}var known=new WeakMap;function errorsOf(content,system){const response=content.responses[system];let errors=known.
get(response);if(!errors){errors=response.errors.flatMap((flat,kind)=>readErrors(flat,kind,content.key,
response));errors.sort((a,b)=>a.first-b.first||a.kind-b.kind||a.number-b.number);known.set(response,
errors)}return errors}function readErrors(flat,kind,key,response){const[side,otherSide]=data.sides[kind].
map(name=>name==="key"?key:response);const errors=[];let at=1;while(at<flat.length){const end=at+1+flat[at];
const mentions=flat.slice(at+1,end);const[other,combination]=flat.slice(end,end+2);errors.push({number:flat[0]+
errors.length,kind,side,mentions,otherSide,other:other?other-1:null,groups:data.combinations[combination],
first:side.first[mentions[0]]});at=end+2}return errors}var groupOf=(error,by)=>error.groups[groupings.
indexOf(by)];function messageOf(content,error){const shown2=error.mentions.slice(0,3).map(mention=>quote(
content,error.side,mention));const more=error.mentions.length-shown2.length;const dropped=error.groups.
at(-1);const parts={what:shown2.join(", ")+(more?` and ${more} more`:""),other:error.other===null?"n\
othing":quote(content,error.otherSide,error.other),dropped};const sentences=dropped==="0"?data.messages:
data.dropped;return sentences[error.kind].replace(/\{(what|other|dropped)\}/g,(_,name)=>parts[name])}
var makeCode=kind=>make("span",{class:`code K${kind}`,title:kindName(kind)},data.codes[kind]);var kindCell=kind=>({
node:make("span",{},makeCode(kind),` ${data.plurals[kind]}`),value:data.plurals[kind]});function errorRows(errors){
const head=["number","kind","document","sentence","text","mention","mentions","other_text","message"];
const rows=errors.map(({document:document2,content,error})=>[error.number,data.kinds[error.kind],data.
documents[document2].name,sentenceOf(content,error.first)+1,textOf(content,error.side,error.mentions[0]),
groupOf(error,"mention"),error.mentions.length,error.other===null?"":textOf(content,error.otherSide,
error.other),messageOf(content,error)]);return[head,...rows]}function percent(value,digits=2){if(value===null)return"–";const text=(100*value).toFixed(digits).
replace("-","−");return text.replace(/^−(0\.?0*)$/,"$1")}function signed(value){const text=percent(
value);return value>0&&text!=="0.00"?`+${text}`:text}var counted=number=>number.toLocaleString("en-U\
S");var plural=(number,word)=>`${counted(number)} ${word}${number===1?"":"s"}`;var exact=value=>value===
null||value===void 0?null:Number((100*value).toFixed(4));function quote2(value){const text=value===null?"":String(value);return/[",\n\r]/.test(text)?`"${text.
replace(/"/g,'""')}"`:text}function download(name,rows){const text=rows.map(row=>row.map(quote2).join(
",")).join("\n")+"\n";const url=URL.createObjectURL(new Blob([text],{type:"text/csv"}));const link=make(
"a",{href:url,download:`${name}.csv`});document.body.append(link);link.click();link.remove();setTimeout(
()=>URL.revokeObjectURL(url),1e4)}var isRich=cell=>cell!==null&&typeof cell==="object";function valueOf(cell){if(!isRich(cell))return cell;
return cell.value===void 0?cell.text:cell.value}function makeTable(table){const{name,caption,columns,
rows}=table;const heads=columns.map((column,number)=>makeHead(table,column,number));const body=rows.
map(row=>make("tr",{},...row.map((cell,number)=>makeCell(cell,columns[number],number))));const element=make(
"table",{id:`table-${name}`},make("caption",{},caption),make("thead",{},make("tr",{},...heads)),make(
"tbody",{},...body));const shown2=()=>[columns.map(column=>column.label),...rows.map(row=>row.map(valueOf))];
return make("div",{},make("div",{class:"scroll",tabindex:0,role:"region","aria-label":caption},element),
makeDownload(name,table.csv??shown2))}function makeHead({sort:sort2,onsort},column,number){const head=make(
"th",{scope:"col",class:column.word?"word":null,title:column.title});if(!sort2||!onsort){head.append(
column.label);return head}const sorted=sort2.column===number;const down=sorted?!sort2.down:!column.word&&
number>0&&!column.up;head.append(make("button",{type:"button",onclick:()=>onsort({column:number,down})},
column.label));if(sorted)head.setAttribute("aria-sort",sort2.down?"descending":"ascending");return head}
function makeCell(cell,column,number){const rich=isRich(cell)?cell:{node:textOf2(cell)};const content=rich.
node??textOf2(rich.text);if(number===0)return make("th",{scope:"row"},content);const classes=[column.
word?"word":"",rich.class??""].filter(Boolean).join(" ");const small=(rich.small??[]).map(line=>make(
"small",{},line));return make("td",{class:classes||null,style:rich.style,title:rich.title},content,...small)}
function textOf2(value){if(value===null)return"–";return typeof value==="number"?counted(value):value}
var makeDownload=(name,rows)=>make("button",{type:"button",class:"csv",id:`csv-${name}`,onclick:()=>download(
name,rows())},"CSV",make("span",{class:"unseen"},` of ${name}`));var BEFORE=data.records?3:4;var WORST_FIRST={column:BEFORE+data.headline,down:false};var sort=WORST_FIRST;
var filter="";var shownOrder=null;function documentOrder(){if(shownOrder?.system===place.system)return shownOrder.
documents;const score=number=>data.documents[number].scores[place.system][data.headline]??2;return[...data.
documents.keys()].sort((a,b)=>score(a)-score(b)||a-b)}function documentsSection(){const columns=makeColumns();
const shownSort=sort.column<columns.length?sort:WORST_FIRST;const rows=data.documents.map((_,number)=>({
number,cells:makeRow(number)}));rows.sort((a,b)=>compareCells(a.cells[shownSort.column],b.cells[shownSort.
column],shownSort.down));shownOrder={system:place.system,documents:rows.map(row=>row.number)};const shown2=rows.
filter(({number})=>data.documents[number].name.toLowerCase().includes(filter.toLowerCase()));const table=makeTable(
{name:"documents",caption:`${plural(shown2.length,"document")}, scores of ${data.labels[place.system]}\
 in per cent`,columns,rows:shown2.map(row=>row.cells),sort:shownSort,onsort:chosen=>sortDocuments(chosen,
columns[chosen.column].label)});const search=makeSearch("Name contains","filter",filter,filterDocuments);
return makeSection("documents",["Documents"],makeControls(search),table)}function makeColumns(){const columns=[
{label:"document",word:true},...data.records?[]:[{label:"words"}],{label:data.records?"true records":
"key mentions"},{label:"errors"},...metricTitles.map(label2=>({label:label2,up:true}))];if(place.second===
null)return columns;const[metric,second]=[metricTitles[place.metric],place.second];const label=`${metric}\
, ${data.labels[second]}`;const title=`${metric}, ${data.systems[second]}`;return[...columns,{label,
title,up:true},{label:"difference",up:true}]}function makeRow(number){const{name,words,mentions,errors,
scores}=data.documents[number];const href=addressOf({document:number,error:null});const ownScores=scores[place.
system];const row=[{value:name,node:make("a",{href},...breakable(titleOf(number)))},...data.records?
[]:[words],mentions,errors[place.system].reduce((a,b)=>a+b,0),...ownScores.map(score=>({text:percent(
score),value:exact(score)}))];if(place.second===null)return row;const[own,other]=[ownScores[place.metric],
scores[place.second][place.metric]];const difference=own===null||other===null?null:own-other;return[
...row,{text:percent(other),value:exact(other)},{text:difference===null?"–":signed(difference),value:exact(
difference)}]}function compareCells(a,b,down){const[x,y]=[valueOf(a),valueOf(b)];if(x===null||y===null)
return Number(x===null)-Number(y===null);const order=typeof x==="string"?x.localeCompare(String(y)):
x-Number(y);return down?-order:order}function sortDocuments(chosen,label){sort=chosen;redraw(documentsSection());
byId("documents").querySelectorAll("th button")[chosen.column].focus();announce(`sorted by ${label},\
 ${chosen.down?"descending":"ascending"}`)}function filterDocuments(text){filter=text;redraw(documentsSection());
const field=byId("filter");field.setSelectionRange(field.value.length,field.value.length)}var Marks=class{marked=[];add(word,mark){word.classList.add(mark);this.marked.push([word,mark])}clear(){
for(const[word,mark]of this.marked)word.classList.remove(mark);this.marked=[]}};var opened=null;function setOpened(now){
opened=now}var shownSides=()=>place.show==="both"?["key","response"]:[place.show];function mentionsAt(line,word,words){
line.cover??={key:coverWords(line.sides.key,words),response:coverWords(line.sides.response,words)};const{
cover}=line;return shownSides().map(name=>({name,mention:cover[name][word]})).filter(({mention})=>mention>=
0)}var SIGNS={key:["[","]"],response:["‹","›"]};function badgesOf(content,system){const badges={key:new Map,
response:new Map};for(const error of errorsOf(content,system)){const own=badges[error.side===content.
key?"key":"response"];for(const mention of error.mentions)append(own,mention,error)}return badges}function append(lists,at,item){
const list2=lists.get(at);if(list2)list2.push(item);else lists.set(at,[item])}function bracketsOf(sides){
const opens=new Map;const closes=new Map;for(const name of shownSides()){const side=sides[name];for(const mention of side.
first.keys()){for(const[first,last]of piecesOf(side,mention)){const bracket={name,mention,length:last-
first};append(opens,first,bracket);append(closes,last,bracket)}}}const rank=bracket=>bracket.name===
"key"?0:1;for(const list2 of opens.values())list2.sort((a,b)=>b.length-a.length||rank(a)-rank(b));for(const list2 of closes.
values())list2.sort((a,b)=>a.length-b.length||rank(b)-rank(a));return{opens,closes}}function makeOpening(line,{
name,mention}){const errors=line.badges[name].get(mention)??[];const label=labelOf(line,name,mention);
const kinds=errors.map(error=>`, ${kindName(error.kind)}`);return makeBracket(line,name,mention,{tabindex:-1,
role:"button","aria-label":`${worded(`${name} entity`)} ${label}${kinds.join("")}`},SIGNS[name][0],make(
"sub",{},label),...errors.map(error=>makeCode(error.kind)))}var makeClosing=(line,{name,mention})=>makeBracket(
line,name,mention,{"aria-hidden":"true"},SIGNS[name][1]);function makeBracket(line,name,mention,properties,...children){
const side=line.sides[name];const colour=side.colours[side.entity[mention]];const look={class:`b ${name}\
 C${colour}`,"data-m":mention,"data-side":name};return make("span",{...look,...properties},...children)}
function labelOf(line,name,mention){const side=line.sides[name];return side.labels[side.entity[mention]]}var nameOf=system=>make("span",{title:data.systems[system]},data.labels[system]);var systemCell=system=>({
node:nameOf(system),value:data.systems[system]});var PAGE=100;function fillList(opened2,from=0,room=PAGE){const listed=opened2.listed=filteredErrors(
opened2);opened2.from=from;const to=Math.min(from+room,listed.length);const items=listed.slice(from,
to).map(error=>makeItem(opened2,error));if(from>0){const text=`Previous ${Math.min(PAGE,from)}`;items.
unshift(makeTurn(opened2,Math.max(0,from-PAGE),"fewer-errors",text))}if(to<listed.length){const text=`\
Next ${Math.min(PAGE,listed.length-to)} of ${counted(listed.length)}`;items.push(makeTurn(opened2,from+
PAGE,"more-errors",text))}byId("error-list").replaceChildren(...items.map(item=>make("li",{},item)));
showCount(opened2)}function showCount({listed,chosen}){const at=chosen?listed.indexOf(chosen):-1;byId(
"error-count").textContent=at<0?` of ${listed.length}`:` ${at+1} of ${listed.length}`}function filteredErrors({
content}){const second=place.only&&place.second!==null?errorsOf(content,place.second):[];const others=new Set(
second.map(nameError));return errorsOf(content,place.system).filter(error=>!place.hide.includes(error.
kind)&&!(others.size&&others.has(nameError(error))))}var nameError=error=>`${error.kind} ${error.mentions.
map(mention=>piecesOf(error.side,mention)).join(";")}`;function makeItem(opened2,error){const current=error===
opened2.chosen?"true":null;return make("button",{type:"button",class:"error","data-n":error.number,"\
aria-current":current},makeCode(error.kind),` ${messageOf(opened2.content,error)}`,make("small",{},describeError(
opened2,error)))}function makeTurn(opened2,from,id,text){const turn=()=>{fillList(opened2,from);byId(
"error-list").scrollTop=0};return make("button",{type:"button",class:"error",id,onclick:turn},text)}
function describeError({number,content},error){const inText=data.documents[number].words!==null;const head=groupOf(
error,"head");const parts=[inText?`sentence ${sentenceOf(content,error.first)+1}`:"",data.records?"":
groupOf(error,"mention"),describeDistance(groupOf(error,"distance")),head==="–"?"":`heads ${head}`];
return parts.filter(Boolean).join(" · ")}function describeDistance(sentences){if(sentences==="–")
return"";if(sentences==="0")return"same sentence";return`${sentences} ${sentences==="1"?"sentence":"\
sentences"} apart`}function makeFilters(opened2){const boxes=shownKinds.map(kind=>makeKindBox(opened2,kind));return[make(
"div",{class:"kinds",role:"group","aria-label":"Kinds of errors"},...boxes),place.second===null?null:
makeOnlyBox(opened2,place.second)]}function makeKindBox(opened2,kind){const box=make("input",{type:"\
checkbox",checked:!place.hide.includes(kind),"data-kind":kind,onchange:()=>{const others=place.hide.
filter(hidden=>hidden!==kind);stay({hide:box.checked?others:[...others,kind]});fillList(opened2)}});
const count=data.documents[opened2.number].errors[place.system][kind];const number=make("span",{class:"\
faint"},String(count));return make("label",{},box," ",makeCode(kind),` ${kindName(kind)} `,number)}function makeOnlyBox(opened2,second){
const box=make("input",{type:"checkbox",id:"only",checked:place.only,onchange:()=>{stay({only:box.checked});
fillList(opened2)}});return make("label",{},box," only errors that ",nameOf(second)," does not make")}
function setFilters(){for(const box of byId("document").querySelectorAll("input[data-kind]")){box.checked=
!place.hide.includes(Number(box.dataset["kind"]))}for(const only of byId("document").querySelectorAll(
"#only"))only.checked=place.only}var FIRST=800;var BATCH=2500;var LONG=300;var lineOfElement=new WeakMap;function piecesOfText(content){
return content.starts.flatMap((begin,sentence)=>{const stop=endOf(content,sentence);const pieces=[];
let start=begin;do{pieces.push({sentence,start,end:Math.min(start+LONG,stop)});start+=LONG}while(start<
stop);return pieces})}var isLaidOut=opened2=>opened2.next>=opened2.pieces.length;function layOut(opened2,until=0){
const enough=opened2.next?BATCH:FIRST;const blocks=[];let words=0;while(!isLaidOut(opened2)&&(words<
enough||opened2.pieces[opened2.next].start<=until)){const piece=opened2.pieces[opened2.next++];blocks.
push(makePiece(opened2,piece));words+=(piece.end-piece.start)*opened2.lines.length}byId("text").append(
...blocks)}function layOutTo(opened2,word){if(!isLaidOut(opened2)&&opened2.pieces[opened2.next].start<=
word)layOut(opened2,word)}function makePiece({content,lines},piece){const begins=piece.start===content.
starts[piece.sentence];const number=begins?String(piece.sentence+1):"";const rows=lines.map(line=>{const row=makeLine(
content,line,piece);if(lines.length>1)row.prepend(makeWho(line.system));return row});return make("di\
v",{class:"sentence",id:begins?`sentence-${number}`:null},make("span",{class:"number","aria-hidden":"\
true"},number),make("div",{},...rows))}var makeWho=system=>make("span",{class:"who",title:data.systems[system]},
data.labels[system]);function makeLine(content,line,{start,end}){const{opens,closes}=line.brackets;const row=make(
"div",{class:"line",dir:isFromRight(content.words.slice(start,end))?"rtl":null});lineOfElement.set(row,
line);for(let word=start;word<end;word++){if(word>start)row.append(spaceBefore(content,word));for(const bracket of opens.
get(word)??[])row.append(makeOpening(line,bracket));line.words[word]=make("span",{class:"w","data-w":word},
content.words[word]);row.append(line.words[word]);for(const bracket of closes.get(word)??[])row.append(
makeClosing(line,bracket))}return row}var isFromRight=words=>/^[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.
test(words.join("").replace(/^\P{L}+/u,""));var QUOTED=6;function pointedAt(opened2,target){const element=target instanceof Element?target.closest(
"[data-m], [data-w]"):null;const row=element?.closest(".line");const line=row&&lineOfElement.get(row);
if(!element||!line)return[];const{m:mention,w:word,side}=element.dataset;if(mention!==void 0)return[
{line,name:side,mention:Number(mention)}];return mentionsAt(line,Number(word),opened2.content.words.
length).map(found=>({line,...found}))}function point(opened2,target){highlight(opened2,pointedAt(opened2,
target))}function highlight(opened2,mentions){opened2.lit.clear();for(const{line,name,mention}of mentions){
const side=line.sides[name];for(const member of side.members[side.entity[mention]]){for(const[first,
last]of piecesOf(side,member)){const words=line.words.slice(first,last+1);words.forEach(word=>opened2.
lit.add(word,`lit-${name}`))}}}byId("info").replaceChildren(...mentions.map(one=>make("div",{},describeEntity(
opened2,one))))}function describeEntity({content},{line,name,mention}){const side=line.sides[name];const entity=side.
entity[mention];const members=side.members[entity];const whose=name==="key"?worded("key"):data.labels[line.
system];const quoted=members.slice(0,QUOTED).map(member=>quote(content,side,member));const more=members.
length>QUOTED?", …":"";return`${whose} ${worded("entity")} ${side.labels[entity]} (${side.ids[entity]}\
), ${plural(members.length,worded("mention"))}: ${quoted.join(", ")}${more}`}function stepMention(opened2,by){
const mentions=[...byId("text").querySelectorAll(".b[role=button]")];if(!mentions.length)return;const at=mentions.
indexOf(document.activeElement);const visible=mentions.find(one=>one.getBoundingClientRect().top>=100)??
mentions[0];const mention=at<0?visible:mentions[(at+by+mentions.length)%mentions.length];mention.focus();
mention.scrollIntoView({block:"nearest"});point(opened2,mention);announce(byId("info").textContent)}function choose(opened2,number,quiet=false){const errors=errorsOf(opened2.content,place.system);const error=errors.
find(one=>one.number===number)??null;if(number!==null&&!error)announce(`there is no error ${number} \
in this document`);opened2.chosen=error;stay({error:error&&error.number});if(error)list(opened2,error);
const current=byId("error-list").querySelectorAll('[aria-current="true"]');current.forEach(one=>one.
removeAttribute("aria-current"));paint(opened2,error);showCount(opened2);if(!error)return;scrollTo2(
opened2,error);if(!quiet)announce(`${kindName(error.kind)}: ${messageOf(opened2.content,error)}`)}function list(opened2,error){
if(!opened2.listed.includes(error)){stay({hide:place.hide.filter(kind=>kind!==error.kind),only:false});
setFilters();fillList(opened2)}const at=opened2.listed.indexOf(error);if(at<opened2.from||at>=opened2.
from+PAGE)fillList(opened2,Math.floor(at/PAGE)*PAGE)}function paint(opened2,error){opened2.painted.clear();
if(!error)return;if(error.other!==null)paintMention(opened2,error.otherSide,error.other,"other");for(const mention of error.
mentions)paintMention(opened2,error.side,mention,"wrong")}function paintMention(opened2,side,mention,mark){
for(const[first,last]of piecesOf(side,mention)){layOutTo(opened2,last);for(const word of opened2.lines[0].
words.slice(first,last+1))opened2.painted.add(word,mark)}}function scrollTo2(opened2,error){const list2=byId(
"error-list");const item=list2.querySelector(`[data-n="${error.number}"]`);item.setAttribute("aria-c\
urrent","true");list2.scrollTop+=item.getBoundingClientRect().top-list2.getBoundingClientRect().top-
list2.clientHeight/3;opened2.lines[0].words[error.first].scrollIntoView({block:"center"})}function stepError(opened2,by){
const{listed,chosen}=opened2;if(!listed.length)return;const at=chosen?listed.indexOf(chosen):-1;const start=at<
0&&by<0?0:at;choose(opened2,listed[(start+by+listed.length)%listed.length].number)}function pressMention(opened2,target){
for(const{line,name,mention}of pointedAt(opened2,target)){const errors=line.badges[name].get(mention);
if(!errors)continue;if(line.system===place.system){const after=errors.findIndex(error=>error===opened2.
chosen)+1;choose(opened2,errors[after%errors.length].number)}else{go({system:line.system,second:place.
system,error:errors[0].number})}return}point(opened2,target)}var MANY=5e3;function find(opened2,query,jump=true){const wanted=query.trim().toLowerCase().split(/\s+/).
join(" ");opened2.query=query;opened2.hits=wanted?findHits(opened2.content,wanted):[];opened2.hit=-1;
markHits(opened2);byId("hits").textContent=wanted?plural(opened2.hits.length,"hit"):"";if(jump&&opened2.
hits.length<MANY)nextHit(opened2,1)}function findHits({words,glued},wanted){let text="";const starts=words.
map((word,number)=>{if(number&&!glued.has(number))text+=" ";const start=text.length;text+=word.toLowerCase();
return start});const lastBefore=(end,from)=>{let word=from;while(word+1<starts.length&&starts[word+1]<
end)word++;return word};const hits=[];let first=0;for(let at=text.indexOf(wanted);at>=0;at=text.indexOf(
wanted,at+wanted.length)){first=lastBefore(at+1,first);hits.push([first,lastBefore(at+wanted.length,
first)])}return hits}function markHits({found,hits,lines}){found.clear();for(const[first,last]of hits){
for(const line of lines)line.words.slice(first,last+1).forEach(word=>found.add(word,"hit"))}}function nextHit(opened2,by){
const count=opened2.hits.length;if(!count)return;opened2.hit=(opened2.hit+by+count)%count;const[word]=opened2.
hits[opened2.hit];layOutTo(opened2,word);markHits(opened2);opened2.lines[0].words[word].scrollIntoView(
{block:"center"});byId("hits").textContent=`${opened2.hit+1} of ${count}`}var SHOWN=["key","response","both"];function showDocument(number){const systems=place.second===null?
[place.system]:[place.system,place.second];const shows=`${number} ${systems} ${place.show}`;if(opened?.
shows===shows){setFilters();fillList(opened);choose(opened,place.error,true);return}const opened2=open(
number,systems,shows,opened?.query??"");setOpened(opened2);byId("document").replaceChildren(make("p",
{},make("a",{href:addressOf({document:null,error:null})},"← Overview")),makeTitle(number,systems),
makeTools(opened2),makeControls(...makeFind(opened2)),make("div",{class:"split"},makeText(opened2),makePanel(
opened2)));layOut(opened2);fillList(opened2);if(opened2.query)find(opened2,opened2.query,place.error===
null);choose(opened2,place.error,true);layOutRest(opened2)}function open(number,systems,shows,query){
const content=contentOf(number);const lines=systems.map(system=>{const sides={key:content.key,response:content.
responses[system]};const badges=badgesOf(content,system);return{system,sides,badges,brackets:bracketsOf(
sides),words:[],cover:null}});return{shows,number,content,lines,pieces:piecesOfText(content),next:0,
listed:[],from:0,chosen:null,query,hits:[],hit:-1,lit:new Marks,painted:new Marks,found:new Marks}}function layOutRest(opened2){
if(isLaidOut(opened2)){byId("text").dataset["done"]="true";return}setTimeout(()=>{if(opened!==opened2)
return;layOut(opened2);if(opened2.query)markHits(opened2);layOutRest(opened2)},0)}function makeTitle(number,systems){
const{words,mentions,scores}=data.documents[number];const metric=metricTitles[data.headline];const scored=systems.
map(system=>{const score=`${metric} ${percent(scores[system][data.headline])}`;return several?`${data.
labels[system]}: ${score}`:score});const counts=[words===null?"":plural(words,"word"),plural(mentions,
data.records?"true record":"key mention")];const about=`${counts.filter(Boolean).join(", ")} · ${scored.
join(" · ")}`;return make("div",{class:"place"},make("h2",{id:"document-name"},titleOf(number)),make(
"span",{class:"faint"},about))}function makeTools(opened2){const order=documentOrder();const at=order.
indexOf(opened2.number);const toDocument=(place2,id,label,text)=>makeStep(id,label,text,order[place2]===
void 0,()=>go({document:order[place2],error:null}));const toError=(by,id,label,text)=>makeStep(id,label,
text,false,()=>stepError(opened2,by));return make("div",{class:"tools bar-controls"},make("span",{class:"\
together"},toDocument(at-1,"previous-document","Previous document","←")," document ",toDocument(at+
1,"next-document","Next document","→")),make("span",{class:"together"},toError(-1,"previous-error",
"Previous error","←")," error ",toError(1,"next-error","Next error","→"),make("span",{id:"error-\
count",class:"faint"})),make("fieldset",{},make("legend",{},"Show"),...SHOWN.map(makeShow)))}var makeStep=(id,label,text,disabled,onclick)=>make(
"button",{type:"button",id,disabled,"aria-label":label,onclick},text);function makeShow(show2){const checked=place.
show===show2;const onchange=()=>go({show:show2});const button=make("input",{type:"radio",name:"show",
id:`show-${show2}`,value:show2,checked,onchange});return make("label",{},button,` ${worded(show2)}`)}
function makeFind(opened2){const onkeydown=event=>{if(!(event instanceof KeyboardEvent)||event.key!==
"Enter")return;event.preventDefault();nextHit(opened2,event.shiftKey?-1:1)};const sample=["[",make("\
sub",{},"1"),worded(" key ]  ‹"),make("sub",{},"1"),worded(" response ›")];return[makeSearch("Fi\
nd","find",opened2.query,text=>find(opened2,text),{onkeydown}),make("span",{id:"hits",class:"faint"}),
make("span",{class:"faint"},...sample)]}function makeText(opened2){const text=make("div",{class:"tex\
t",id:"text"});text.addEventListener("mouseover",event=>point(opened2,event.target));text.addEventListener(
"mouseleave",()=>highlight(opened2,[]));text.addEventListener("click",event=>pressMention(opened2,event.
target));return text}function makePanel(opened2){const{number,content}=opened2;const rows=()=>errorRows(
opened2.listed.map(error=>({document:number,content,error})));const list2=make("ol",{id:"error-list",
tabindex:-1});list2.addEventListener("click",({target})=>{const item=target.closest("[data-n]");if(item)
choose(opened2,Number(item.dataset["n"]))});return make("aside",{class:"panel","aria-label":"Errors"},
...makeFilters(opened2),make("p",{class:"bar-controls"},makeDownload("document-errors",rows)),list2,
make("div",{class:"info",id:"info"}))}var BATCH2=100;var CONTEXT=25;var left=new Map;var shown=0;function leaveErrorList(){left.set(currentAddress(),
{shown,scroll:scrollY})}function returnToErrorList(){const reading=left.get(currentAddress());if(reading)
scrollTo(0,reading.scroll);return reading!==void 0}function showErrorList(){const errors=chosenErrors();
const list2=make("ol",{class:"found"});const more=make("button",{type:"button",onclick:()=>showMore()},
"Show more");shown=0;function showMore(){list2.append(...errors.slice(shown,shown+BATCH2).map(makeItem2));
shown=Math.min(errors.length,shown+BATCH2);more.hidden=shown>=errors.length}const before=left.get(currentAddress())?.
shown??0;do showMore();while(shown<Math.min(before,errors.length));byId("errors").replaceChildren(make(
"section",{},make("p",{},make("a",{href:addressOf({view:"overview"})},"← Overview")),make("h2",{id:"\
errors-title"},...several?[nameOf(place.system),": "]:[],nameChoice()),makeControls(...makeChoices(),
makeDownload("errors",()=>errorRows(errors))),make("p",{class:"faint"},plural(errors.length,"error")),
list2,more))}function chosenErrors(){const{system,kind,by,label}=place;const isChosen=error=>(kind===
null||error.kind===kind)&&(label===""||groupOf(error,by)===label);return data.documents.flatMap((_,document2)=>{
const content=contentOf(document2);return errorsOf(content,system).filter(isChosen).map(error=>({document:document2,
content,error}))})}function nameChoice(){const kind=place.kind===null?"all errors":data.plurals[place.
kind];return place.label===""?kind:`${kind}, ${data.grouped[place.by]}: ${place.label}`}function makeChoices(){
const{by,kind,label}=place;const there=data.groups[place.system][by].labels;const labels=label===""||
there.includes(label)?there:[...there,label];return[makeSelect("Kind","errors-kind",["all",...shownKinds.
map(kindName)],kind===null?0:shownKinds.indexOf(kind)+1,number=>go({kind:number?shownKinds[number-1]:
null})),makeSelect("Property","errors-by",shownGroupings.map(one=>data.grouped[one]),shownGroupings.
indexOf(by),number=>go({by:shownGroupings[number],label:""})),makeSelect("Value","errors-label",["an\
y",...labels],label===""?0:1+labels.indexOf(label),number=>go({label:number?labels[number-1]:""}))]}
function makeItem2({document:document2,content,error}){return make("li",{},makeCode(error.kind)," ",
make("a",{href:addressOf({document:document2,error:error.number})},messageOf(content,error)),make("b\
r"),makeContext(content,error),make("br"),make("small",{class:"faint"},describePlace(document2,error)))}
var describePlace=(document2,error)=>titleOf(document2)+(data.records?"":`, ${groupOf(error,"mention")}`);
function makeContext(content,error){const[first,last]=piecesOf(error.side,error.mentions[0])[0];const sentence=sentenceOf(
content,first);const[begin,end]=[content.starts[sentence],endOf(content,sentence)-1];const from=Math.
max(begin,first-CONTEXT);const to=Math.min(end,last+CONTEXT);return make("q",{},from>begin?"… ":"",
first>from?joinWords(content,from,first-1)+spaceBefore(content,first):"",make("mark",{},joinWords(content,
first,last)),last<to?spaceBefore(content,last+1)+joinWords(content,last+1,to):"",to<end?" …":"")}var always=()=>true;var inDocument=()=>opened!==null;var onOpened=act=>()=>{if(opened)act(opened)};var KEYS=[
{names:"j, k",what:"go to the next or the previous error",active:inDocument,actions:{j:onOpened(one=>stepError(
one,1)),k:onOpened(one=>stepError(one,-1))}},{names:"m, M",what:"go to the next or the previous ment\
ion; Enter shows its error",active:inDocument,actions:{m:onOpened(one=>stepMention(one,1)),M:onOpened(
one=>stepMention(one,-1))}},{names:"n, p",what:"go to the next or the previous document (in the orde\
r of the table)",active:inDocument,actions:{n:()=>byId("next-document").click(),p:()=>byId("previous\
-document").click()}},{names:"1, 2, 3",what:"show the key, the response, or both",active:inDocument,
actions:{1:()=>go({show:"key"}),2:()=>go({show:"response"}),3:()=>go({show:"both"})}},{names:"s",what:"\
show the next response",active:()=>several,actions:{s:goToNextSystem}},{names:"/",what:`find ${data.
records?"records":"words"} in a document, or documents by name`,active:()=>place.view!=="errors",actions:{
"/":()=>byId(place.view==="document"?"find":"filter").focus()}},{names:"o",what:"go to the overview",
active:always,actions:{o:goToOverview}},{names:"Esc",what:"clear the selection and the search",active:inDocument,
actions:{Escape:onOpened(clearChoice)}},{names:"?",what:"show this list",active:always,actions:{"?":showHelp}}];
function goToNextSystem(){const system=(place.system+1)%data.systems.length;go({system,second:place.
second===system?place.system:place.second,error:null})}function goToOverview(){go({view:"overview",document:null,
error:null})}function clearChoice(opened2){choose(opened2,null,true);clearFind(opened2);highlight(opened2,
[])}function clearFind(opened2){find(opened2,"");byId("find").value=""}function showHelp(){byId("hel\
p").showModal()}var makeKeyRows=()=>KEYS.map(({names,what})=>make("tr",{},make("th",{scope:"row"},make(
"kbd",{},names)),make("td",{},worded(what))));function pressKey(event){const target=event.target;if(event.
ctrlKey||event.metaKey||event.altKey||byId("help").open)return;if(target.matches("input[type=search]\
, textarea")){if(event.key==="Escape")leaveField(target);return}if(target.matches("select")&&event.key.
length===1&&event.key!=="?")return;const action=target.matches(".b")&&isPress(event)?onOpened(one=>pressMention(
one,target)):actionOf(event.key);if(!action)return;event.preventDefault();action()}var isPress=event=>event.
key==="Enter"||event.key===" ";function actionOf(key){return KEYS.find(({active,actions})=>Object.hasOwn(
actions,key)&&active())?.actions[key]}function leaveField(field){if(field.id==="find"&&opened)clearFind(
opened);field.blur()}var HEAD=["response","base","metric","difference","low","high","p","better","alike","worse"];var base=0;
function differencesSection(){const pairs=differencesFromBase();const corrected=data.pairs.length>1?
`, corrected for all ${data.pairs.length} pairs of ${worded("responses")}`:"";return makeSection("di\
fferences",[worded("Differences between responses")],makeControls(makeSelect("Differences from","bas\
e",data.labels,base,chosen=>{base=chosen;redraw(differencesSection())})),makeTable({name:"difference\
s",caption:`Differences in percentage points, with confidence intervals and p-values${corrected}; * \
p < .05, ** p < .01`,columns:[{label:worded("response"),word:true},...metricTitles.map(label=>({label}))],
rows:pairs.map(({system,differences})=>[systemCell(system),...differences.map(makeDifference)]),csv:()=>[
HEAD,...pairs.flatMap(({system,differences})=>fileRows(system,differences))]}))}function differencesFromBase(){
return data.pairs.filter(([system,other])=>system===base||other===base).map(([system,other,differences])=>other===
base?{system,differences}:{system:other,differences:differences.map(reverse)})}function reverse([value,
interval,p,wins,ties,losses]){return[-value,interval&&[-interval[1],-interval[0]],p,losses,ties,wins]}
function makeDifference([value,interval,p,wins,ties,losses]){return{value:exact(value),node:make("sp\
an",{},signed(value)+starsOf(p)),small:[interval?`[${signed(interval[0])}, ${signed(interval[1])}]`:
"",writeP(p)].filter(Boolean),title:`better in ${plural(wins,"document")}, equal in ${ties}, worse i\
n ${losses}`}}function starsOf(p){if(p===null||p>=.05)return"";return p<.01?"**":"*"}function writeP(p){
if(p===null)return"";return p<1e-4?"p < .0001":`p = ${p.toFixed(4).replace(/^0/,"")}`}function fileRows(system,differences){
return differences.map(([value,interval,p,wins,ties,losses],metric)=>{const[low,high]=interval??[null,
null];const numbers=[value,low,high].map(exact);return[data.systems[system],data.systems[base],data.
metrics[metric][0],...numbers,p,wins,ties,losses]})}function groupsSection(){const{labels,table}=data.groups[place.system][place.by];const most=Math.max(
1,...table.flat());const rows=shownKinds.map(kind=>{const counts=table[kind];const cells=counts.map(
(count,number)=>makeCount(count,kind,labels[number],heat(count/most)));const sum=counts.reduce((a,b)=>a+
b,0);return[kindCell(kind),...cells,makeCount(sum,kind,"",{})]});return makeSection("groups",["Kinds\
 of errors",...ofSystem()],make("p",{},"Each number links to the errors that it counts."),makeControls(
makeSelect("Group by","by",shownGroupings.map(by=>data.grouped[by]),shownGroupings.indexOf(place.by),
chosen=>{stay({by:shownGroupings[chosen]});redraw(groupsSection())})),makeTable({name:"errors-by-kin\
d",caption:`Errors by kind and ${data.grouped[place.by]}`,columns:[{label:"errors",word:true},...labels.
map(label=>({label})),{label:"all"}],rows}),...["mention","other"].includes(place.by)?makeGuesses():
[])}var ofSystem=()=>several?[" of ",nameOf(place.system)]:[];function makeCount(count,kind,label,look){
const href=addressOf({view:"errors",kind,label,by:place.by});return{value:count,node:count?make("a",
{class:"count",href},counted(count)):"0",...look}}var heat=share=>({class:"heat",style:`--h:${(.45*share).
toFixed(3)}`});var makeGuesses=()=>data.guesses[place.system].map(note=>make("p",{class:"faint"},`No\
te: ${note}.`));var EXPLANATION="Each entity is a chain of links from a mention back to an earlier one (Martschat & \
Strube 2014). The numbers of missing and wrong links are those that MUC counts.";function linksSection(){
return makeSection("links",["Links",...ofSystem()],make("p",{},worded(EXPLANATION)),linksTable("key",
"missing",worded("Links of the key that are missing from the response")),linksTable("response","wron\
g",worded("Links of the response that are not in the key")),...makeGuesses())}function linksTable(side,bad,caption){
const links=data.links[place.system][side];const antecedents=inOrder(links.map(([,antecedent])=>antecedent));
const rows=inOrder(links.map(([anaphor])=>anaphor)).map(anaphor=>[kindOf(anaphor),...antecedents.map(
antecedent=>makeLinks(links.find(one=>one[0]===anaphor&&one[1]===antecedent)))]);return makeTable({name:`\
links-${bad}`,caption,columns:[{label:data.records?"links":"from ↓ back to →",word:true},...antecedents.
map(antecedent=>({label:kindOf(antecedent)}))],rows,csv:()=>[["anaphor","antecedent","links",bad],...links]})}
var kindOf=name=>data.records?"all":name;var inOrder=names=>[...new Set(names)].sort((a,b)=>data.mentions.
indexOf(a)-data.mentions.indexOf(b));function makeLinks(links){if(!links)return{text:"–",value:""};
const[,,total,bad]=links;return{text:`${counted(bad)} of ${counted(total)}`,value:bad,small:[`${(100*
bad/total).toFixed(0)} %`],...heat(bad/total)}}var explain=title=>`How ${title} would change if all errors of a kind were repaired: only these (alo\
ne), or after all kinds above them (in turn). Repairing all kinds gives the key.`;function repairsSection(){
const title=metricTitles[place.metric];return makeSection("repairs",["Gains from repairs"],make("p",
{},worded(explain(title))),makeControls(makeSelect("Metric","metric",metricTitles,place.metric,metric=>{
stay({metric});redraw(repairsSection());redraw(documentsSection())})),make("div",{class:"bars"},...data.
systems.flatMap(makeBar)),makeLegend(),repairsTable(title))}var scoreOf=system=>data.scores[system][place.
metric][0][0];function gainsOf(system){const scores=data.repairs[system].turn.map(values=>values[place.
metric]);return scores.map((score,kind)=>score-(kind?scores[kind-1]:scoreOf(system)))}function makeBar(name,system){
const score=scoreOf(system);const gains=gainsOf(system);const whole=Math.max(1,score+gains.reduce((sum,gain)=>sum+
Math.max(gain,0),0));const share=part2=>`width:${100*part2/whole}%`;const legible=innerWidth<700?.08:
.03;const spans=[make("span",{class:"base",style:share(score)},percent(score,1))];gains.forEach((gain,kind)=>{
if(gain<=0)return;const text=gain/whole>legible?data.codes[kind]:"";const title=`${data.plurals[kind]}\
: ${signed(gain)}`;spans.push(make("span",{class:`K${kind}`,style:share(gain),title},text))});const words=[
`${name}: ${percent(score)}`,...shownKinds.map(kind=>`${data.plurals[kind]} ${signed(gains[kind])}`)];
return[make("div",{class:"name"},nameOf(system)),make("div",{class:"bar",role:"img","aria-label":words.
join(", ")},...spans)]}function repairsTable(title){const{errors,alone,turn}=data.repairs[place.system];
const score=scoreOf(place.system);const change=value=>({text:signed(value),value:exact(value)});const gains=gainsOf(
place.system);const rows=shownKinds.map(kind=>{const repaired=turn[kind][place.metric];return[kindCell(
kind),errors[kind],change(alone[kind][place.metric]-score),change(gains[kind]),{text:percent(repaired),
value:exact(repaired)}]});return makeTable({name:"repairs",caption:`${title} of ${data.labels[place.
system]} (${percent(score)}) as errors are repaired kind by kind`,columns:[{label:"errors",word:true},
{label:"number"},{label:"alone",title:"the change if only these errors are repaired"},{label:"in tur\
n",title:"the change if these errors are repaired after all kinds above"},{label:title,title:"the sc\
ore if these errors and all kinds above are repaired"}],rows})}var makeLegend=()=>make("ul",{class:"\
legend"},...shownKinds.map(kind=>make("li",{},makeCode(kind),` ${data.plurals[kind]}`)));var PARTS=["F1","recall","precision"];var part=0;function scoresSection(){const best=data.metrics.map(
(_,metric)=>Math.max(...data.scores.map(row=>row[metric][part]?.[0]??-1)));const rows=data.scores.map(
(scores,system)=>{const cells=scores.map((score,metric)=>makeScore(score[part],best[metric]));return[
systemCell(system),...cells]});const intervals=data.documents.length>1?", with the confidence interv\
al":"";const documents=plural(data.documents.length,"document");return makeSection("scores",["Scores"],
makeControls(makeSelect("Show","part",PARTS,part,chosen=>{part=chosen;redraw(scoresSection())})),makeTable(
{name:"scores",caption:`${PARTS[part]} in per cent${intervals}, over ${documents}${several?"; the be\
st in bold":""}`,columns:[{label:worded("response"),word:true},...metricTitles.map(label=>({label}))],
rows,csv:scoresFile}))}function makeScore(estimate,best){if(!estimate)return{text:"–",value:""};const[
value]=estimate;const small=estimate.length===3?[`[${percent(estimate[1])}, ${percent(estimate[2])}]`]:
[];return{text:percent(value),value:exact(value),small,class:several&&value===best?"best":""}}function scoresFile(){
const parts=["f1","recall","precision"].flatMap(name=>[name,`${name}_low`,`${name}_high`]);const rows=data.
systems.flatMap((system,number)=>data.metrics.map(([metric],place2)=>{const numbers=data.scores[number][place2].
flatMap(estimate=>[0,1,2].map(end=>exact(estimate?.[end])));return[system,metric,...numbers]}));return[
["response","metric",...parts],...rows]}function showOverview(){const sections=[scoresSection(),repairsSection(),groupsSection(),linksSection(),
documentsSection()];if(several)sections.splice(1,0,differencesSection());if(place.missing!==null){const name=place.
missing||"without a name";sections.unshift(make("p",{role:"alert"},`There is no document ${name}.`))}
byId("overview").replaceChildren(...sections)}var VIEWS=["overview","errors","document"];function route(first){readAddress();if(place.view!=="over\
view"&&document.readyState==="loading"){document.addEventListener("DOMContentLoaded",()=>route(first),
{once:true});return}byId("system").selectedIndex=place.system;byId("second").selectedIndex=place.second===
null?0:place.second+1;const before={view:VIEWS.find(view=>!byId(view).hidden),document:opened?.number};
const active=document.activeElement?.id;show();if(first)return;const moved=before.view!==place.view;
if(moved)byId("main").focus({preventScroll:true});else if(active&&document.activeElement?.id!==active){
document.getElementById(active)?.focus({preventScroll:true})}if(place.view==="errors"&&returnToErrorList())
return;if(place.error===null&&(moved||opened&&opened.number!==before.document))scrollTo(0,0)}function show(){
for(const view of VIEWS)byId(view).hidden=view!==place.view;let title=data.title;if(place.document!==
null){showDocument(place.document);title=titleOf(place.document)}else{setOpened(null);if(place.view===
"errors"){showErrorList();title="errors"}else showOverview()}document.title=title?`${title} – sameas\
 report`:"sameas report"}function leave2(){if(place.view==="errors")leaveErrorList()}function makeFrame(){
byId("what").textContent=data.title?` ${data.title}`:"";byId("system-label").hidden=byId("second-lab\
el").hidden=!several;for(const id of["system-label","second-label"]){const text=byId(id).firstChild;
text.textContent=worded(text.textContent)}const options=()=>data.labels.map((label,system2)=>make("o\
ption",{title:data.systems[system2]},label));const[system,second]=["system","second"].map(id=>byId(id));
system.append(...options());second.append(make("option",{},"none"),...options());system.addEventListener(
"change",()=>go({system:system.selectedIndex,error:null}));second.addEventListener("change",()=>go({
second:second.selectedIndex?second.selectedIndex-1:null}));const theme=byId("theme");theme.addEventListener(
"change",()=>setTheme(theme.value));onClick("home",goToOverview);onClick("skip",()=>byId("main").focus());
onClick("help-button",showHelp);byId("keys").append(...makeKeyRows());if(data.notes.length){const notes=data.
notes.map(note=>make("li",{},note));byId("foot").append(make("strong",{},"Notes"),make("ul",{},...notes))}
byId("foot").append(make("code",{},data.signature))}function onClick(id,act){byId(id).addEventListener(
"click",event=>{event.preventDefault();act()})}function setTheme(theme){const{dataset}=document.documentElement;
if(theme)dataset["theme"]=theme;else delete dataset["theme"]}function followLink(event){const link=event.
target instanceof Element?event.target.closest("a[href^='#']"):null;if(!link||link.id||event.defaultPrevented)
return;if(event.button||event.ctrlKey||event.metaKey||event.shiftKey)return;event.preventDefault();follow(
link.getAttribute("href"))}makeFrame();onMove({leave:leave2,arrive:()=>route(false)});document.addEventListener(
"keydown",pressKey);document.addEventListener("click",followLink);window.addEventListener("hashchang\
e",followBrowser);window.addEventListener("popstate",followBrowser);window.addEventListener("beforep\
rint",()=>opened&&fillList(opened,0,Infinity));window.addEventListener("afterprint",()=>opened&&fillList(
opened));route(true);})();
