import re
p='CHANGELOG.md'; s=open(p).read()
s=re.sub(r'<<<<<<< [^\n]*\n','',s); s=re.sub(r'=======\n','',s); s=re.sub(r'>>>>>>> [^\n]*\n','',s)
# one heading
h="### Fixed after outsiders' runs\n"
i=s.index(h)+len(h); s=s[:i]+s[i:].replace('\n'+h,'\n').replace(h,'')
open(p,'w').write(s)
